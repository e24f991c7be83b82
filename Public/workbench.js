import { Workbench } from "./workbench/Workbench.js";

new Workbench(document).start();

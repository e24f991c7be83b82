import { load, save } from "../ui/memory.js";

const forGood = () => localStorage;
const part = (id) => document.getElementById(id);

/** Asks for a key. @param {(key: string) => void} use called with one, or with nothing for none */
export function showKey(use) {
  const dialog = part("key-dialog");
  dialog.querySelector("[value=remove]").hidden = !load("freshet key");
  dialog.onclose = () => {
    const { returnValue } = dialog;
    const key = returnValue === "remove" ? "" : part("key").value;
    if (returnValue === "remove") part("key").value = "";
    if (["use", "remove"].includes(returnValue)) use(key);
  };
  show(dialog);
  part("key").select();
}

/** Shows what keys do. */
export function showKeys() { show(part("keys-dialog")); }

/** Asks how the page is to look. */
export function showSettings() {
  const dialog = part("settings-dialog");
  for (const choice of dialog.querySelectorAll("select")) {
    choice.value = load(`freshet ${choice.name}`, forGood) ?? choice.options[0].value;
    choice.onchange = () => {
      save(`freshet ${choice.name}`, choice.value, forGood);
      // All words are others then.
      if (choice.name === "language") return location.reload();
      document.documentElement.dataset[choice.name] = choice.value;
      return changeFrames(choice);
    };
  }
  show(dialog);
}

function changeFrames({ name, value }) {
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument?.documentElement;
    if (page) page.dataset[name] = value;
  }
}

function show(dialog) {
  // Of the last time; what is left by Escape says nothing.
  dialog.returnValue = "";
  dialog.showModal();
}

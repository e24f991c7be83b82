import { recall, remember } from "../ui/memory.js";

const forGood = () => localStorage;
const part = (id) => document.getElementById(id);

/** Asks for a key. @param {(key: string) => void} use */
export function showKey(use) {
  const dialog = part("key-dialog");
  dialog.onclose = () => {
    if (dialog.returnValue !== "use") return;
    const key = part("key").value;
    remember("freshet key", key);
    use(key);
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
    choice.value = recall(`freshet ${choice.name}`, forGood) ?? choice.options[0].value;
    choice.onchange = () => {
      remember(`freshet ${choice.name}`, choice.value, forGood);
      document.documentElement.dataset[choice.name] = choice.value;
      for (const frame of document.querySelectorAll("iframe")) {
        const page = frame.contentDocument?.documentElement;
        if (page) page.dataset[choice.name] = choice.value;
      }
    };
  }
  show(dialog);
}

function show(dialog) {
  // Of the last time; what is left by Escape says nothing.
  dialog.returnValue = "";
  dialog.showModal();
}

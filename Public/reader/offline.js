/** How often a page that stays open asks whether there is a new release, in milliseconds. */
const hour = 3_600_000;

/**
 * Has the pages kept for when there is no network, and offers a new release of them. Once one has
 * taken over, all that is open is loaded anew, so that nobody has files of both.
 * @param {(take: () => void) => void} offer called when there is one
 */
export async function keepPages(offer) {
  const { serviceWorker } = navigator;
  // There is none on plain http, but for this very machine.
  if (!serviceWorker) return;
  let isControlled = Boolean(serviceWorker.controller);
  serviceWorker.addEventListener("controllerchange", () => {
    if (isControlled) location.reload();
    isControlled = true;
  });
  const registration = await serviceWorker.register("worker.js", { updateViaCache: "none" })
    .catch(() => null);
  if (!registration) return;
  const look = () => {
    if (!registration.waiting || !serviceWorker.controller) return;
    offer(() => registration.waiting?.postMessage("take over"));
  };
  look();
  registration.addEventListener("updatefound", () =>
    registration.installing?.addEventListener("statechange", look));
  let asked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - asked < hour) return;
    asked = Date.now();
    registration.update().catch(() => {});
  });
}

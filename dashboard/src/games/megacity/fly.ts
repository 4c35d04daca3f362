// Points of a delivery on their way to their player's score.

const STAYS_MS = 1200; // so that they are read
const MOVE_MS = 800;

/** Let a copy of an element's text fly to the score of a seat, unless somebody wants no motion. */
export function fly(node: HTMLElement, seat: number): { destroy: () => void } | undefined {
  const goal = document.querySelector(`.scores [data-score="${seat}"]`);
  if (!goal || matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
  const [from, to] = [node.getBoundingClientRect(), goal.getBoundingClientRect()];
  const copy = node.cloneNode(true) as HTMLElement;
  copy.dataset["flies"] = String(seat);
  copy.ariaHidden = "true";
  Object.assign(copy.style, { position: "fixed", zIndex: "3", left: `${from.left}px`, top: `${from.top}px` });
  node.after(copy);
  const there = `translate(${to.right - from.right}px, ${to.top - from.top}px) scale(0.6)`;
  const timing = { duration: MOVE_MS, delay: STAYS_MS, easing: "ease-in", fill: "forwards" as const };
  copy.animate([{ transform: "none" }, { transform: there, opacity: 0 }], timing).onfinish = () => copy.remove();
  goal.animate([{}, { transform: "scale(1.3)" }, {}], { duration: MOVE_MS / 2, delay: STAYS_MS + MOVE_MS });
  return { destroy: () => copy.remove() };
}

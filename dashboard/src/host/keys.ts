// The keys of the host's page: a button that names one in `aria-keyshortcuts` is pressed by it, and shows it.

/** Press the button of this key; keys that are typed into something, or held with another, are none of ours. */
export function press(event: KeyboardEvent): void {
  const typed = event.target instanceof Element && event.target.closest("input, select, textarea");
  if (typed || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const button = document.querySelector<HTMLElement>(`button[aria-keyshortcuts="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!button) return;
  event.preventDefault();
  button.focus(); // Tab goes on from there, into what the button opens
  button.click();
}

/**
 * Keyboard shortcuts and progress of the console. All pages work without it.
 *
 * A key presses the button with that `data-key` in the current entry, or anywhere on the page
 * outside of entries. `j` and `k` select the next and previous entry. A button with `data-select`
 * selects or clears all boxes of its form. Pages with `data-refresh` reload the elements with
 * `data-live` every second.
 */
export const CONSOLE_SCRIPT = `'use strict';
(() => {
  const entries = [...document.querySelectorAll('.entry')];
  let at = entries.length > 0 ? 0 : -1;
  const select = (index) => {
    if (!entries[index]) return;
    entries[at]?.classList.remove('current');
    at = index;
    entries[at].classList.add('current');
    entries[at].scrollIntoView({ block: 'nearest' });
  };
  select(0);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest('input:not([type=checkbox]), textarea, select')) return;
    if (event.key === 'j') return select(at + 1);
    if (event.key === 'k') return select(at - 1);
    if (event.key === 'x') {
      const box = entries[at]?.querySelector('input[type=checkbox]');
      if (box) box.checked = !box.checked;
      return;
    }
    const wanted = '[data-key="' + CSS.escape(event.key) + '"]';
    const button = entries[at]?.querySelector(wanted) ||
      [...document.querySelectorAll(wanted)].find((one) => !one.closest('.entry'));
    if (button) { event.preventDefault(); button.click(); }
  });
  const all = document.querySelector('[data-select]');
  if (all) {
    all.hidden = false;
    all.addEventListener('click', () => {
      const boxes = [...all.form.elements].filter((one) => one.type === 'checkbox');
      const checked = boxes.some((box) => !box.checked);
      for (const box of boxes) box.checked = checked;
    });
  }
  const refreshed = document.querySelector('[data-refresh]');
  if (refreshed) {
    const load = async () => {
      const response = await fetch(location.href, { headers: { accept: 'text/html' } });
      // A server that restarts is asked again.
      if (!response.ok) return response.status >= 500;
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      for (const old of document.querySelectorAll('[data-live]')) {
        const fresh = page.querySelector('[data-live="' + old.dataset.live + '"]');
        if (fresh && fresh.innerHTML !== old.innerHTML) old.innerHTML = fresh.innerHTML;
      }
      return page.querySelector('[data-refresh]') !== null;
    };
    const refresh = async () => {
      if (await load().catch(() => true)) setTimeout(refresh, 1000);
    };
    setTimeout(refresh, 1000);
  }
})();
`;

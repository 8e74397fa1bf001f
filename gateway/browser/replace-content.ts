const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]'

/**
 * Replaces the content of a part of the page, unless it is the same. Items with an id that have not changed stay, with
 * what was typed in them, and the focus stays where it was.
 */
export function replaceContent(part: Element, fresh: Element): boolean {
  const stored = itemsIn(part)
  for (const [id, item] of itemsIn(fresh)) {
    const same = stored.get(id)
    if (same) keepOpen(same, item)
  }
  if (part.innerHTML === fresh.innerHTML) return false
  const restore = focusIn(part)
  for (const [id, item] of itemsIn(fresh)) {
    const same = stored.get(id)
    if (same?.isEqualNode(item)) item.replaceWith(same)
  }
  part.replaceChildren(...fresh.childNodes)
  restore()
  return true
}

const itemsIn = (part: Element) =>
  new Map([...part.querySelectorAll('li[id]')].map((item) => [item.id, item]))

/** What the reader has opened. */
function keepOpen(item: Element, fresh: Element) {
  const opened = [...item.querySelectorAll('details')].map(({ open }) => open)
  for (const [at, one] of fresh.querySelectorAll('details').entries())
    one.open = opened[at] ?? false
}

/** Puts the focus back: on the same element, or on the one at its place in its item. */
function focusIn(part: Element): () => void {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement) || !part.contains(activeElement)) return () => {}
  const id = activeElement.closest('li[id]')?.id
  const within = () => (id && part.querySelector(`#${CSS.escape(id)}`)) || part
  const place = [...within().querySelectorAll(focusable)].indexOf(activeElement)
  return () => {
    const element = part.contains(activeElement)
      ? activeElement
      : within().querySelectorAll<HTMLElement>(focusable)[place]
    element?.focus({ preventScroll: true })
  }
}

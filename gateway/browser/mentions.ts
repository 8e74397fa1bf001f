// Offers usernames while a mention is typed, in a list box. A text area may not be a combobox, but has the same attributes.

const offeredMax = 8
/** An `@` within a word belongs to an address. */
const begun = /(?:^|[^\p{L}\p{N}_./@+-])@([\w.@+-]*)$/u

class Mentions {
  readonly #input: HTMLTextAreaElement
  readonly #list = document.createElement('ul')
  #people: Promise<string[]> | undefined
  #offered: string[] = []
  #selected = 0

  constructor(input: HTMLTextAreaElement) {
    this.#input = input
    const list = this.#list
    list.id = 'people'
    list.className = 'people'
    list.role = 'listbox'
    list.ariaLabel = input.dataset.label ?? ''
    list.hidden = true
    const label = input.closest('label') ?? input
    label.after(list)
    input.autocomplete = 'off'
    input.addEventListener('input', () => void this.#offer())
    input.addEventListener('blur', () => this.#close())
    input.addEventListener('keydown', (event) => {
      const action = this.#actionOf(event)
      if (!action) return
      event.preventDefault()
      action()
    })
    // The text keeps the focus.
    list.addEventListener('mousedown', (event) => event.preventDefault())
    list.addEventListener('click', ({ target }) => {
      const option = (target as Element).closest('li')
      if (option) this.#choose(option.textContent)
    })
  }

  /** The beginning of a username before the cursor. */
  #typed() {
    const { value, selectionStart, selectionEnd } = this.#input
    if (selectionStart !== selectionEnd) return undefined
    return begun.exec(value.slice(0, selectionStart))?.[1]?.toLowerCase()
  }

  async #offer() {
    if (this.#typed() === undefined) return this.#close()
    this.#people ??= peopleAt(this.#input.dataset.people ?? '')
    const people = await this.#people
    const typed = this.#typed()
    if (typed === undefined) return this.#close()
    const at = (name: string) => name.toLowerCase().indexOf(typed)
    const found = people.filter((name) => at(name) >= 0).sort((a, b) => at(a) - at(b))
    this.#offered = found.slice(0, offeredMax)
    if (this.#offered.length === 0) return this.#close()
    this.#selected = 0
    this.#show()
  }

  #show() {
    const options = this.#offered.map((name, at) => {
      const option = document.createElement('li')
      option.id = `person-${at}`
      option.role = 'option'
      option.ariaSelected = String(at === this.#selected)
      option.textContent = name
      return option
    })
    this.#list.replaceChildren(...options)
    this.#list.hidden = false
    options[this.#selected]?.scrollIntoView({ block: 'nearest' })
    const attributes = {
      'aria-haspopup': 'listbox',
      'aria-autocomplete': 'list',
      'aria-controls': 'people',
      'aria-activedescendant': `person-${this.#selected}`,
    }
    for (const [name, value] of Object.entries(attributes)) this.#input.setAttribute(name, value)
  }

  #close() {
    if (this.#list.hidden) return
    this.#list.hidden = true
    for (const { name } of [...this.#input.attributes]) {
      if (name.startsWith('aria-')) this.#input.removeAttribute(name)
    }
  }

  /** What a key does while names are offered. */
  #actionOf({ key, isComposing }: KeyboardEvent): (() => void) | undefined {
    if (this.#list.hidden || isComposing) return undefined
    const move = (step: number) => () => {
      const { length } = this.#offered
      this.#selected = (this.#selected + step + length) % length
      this.#show()
    }
    const choose = () => this.#choose(this.#offered[this.#selected] ?? '')
    const actions: Record<string, () => void> = {
      ArrowDown: move(1),
      ArrowUp: move(-1),
      Enter: choose,
      Tab: choose,
      Escape: () => this.#close(),
    }
    return actions[key]
  }

  #choose(name: string) {
    const end = this.#input.selectionStart
    const start = end - (this.#typed()?.length ?? 0)
    this.#input.setRangeText(`${name} `, start, end, 'end')
    this.#close()
  }
}

async function peopleAt(path: string): Promise<string[]> {
  const response = await fetch(path).catch(() => undefined)
  return response?.ok ? (await response.json()).usernames : []
}

for (const input of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-people]')) {
  new Mentions(input)
}

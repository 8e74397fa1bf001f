/** Safe markup: made by `html` or escaped in the same way. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

/** Template tag for markup; values other than `Html` are escaped, for text and quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const rendered = values.map((value) => (Array.isArray(value) ? value.join('') : toMarkup(value)))
  return new Html(String.raw({ raw: parts }, ...rendered))
}

const toMarkup = (value: string | Html) =>
  value instanceof Html ? value.toString() : escaped(value)

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (char) => entities[char] ?? char)

/** Markup that is safe to send: made by `html`, or of what escapes as it does. */
export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

/** Markup with values in it; all but markup is escaped, for text and for attributes in quotes. */
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

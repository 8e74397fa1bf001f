import { readdirSync, readFileSync } from 'node:fs'
import { documentOf, elementsIn, nodesIn } from './dom.js'

export type Source = { file: string; text: string }

/** The sources of a folder of the gateway, without tests. */
export function sourcesIn(folder: string): Source[] {
  const top = new URL(`../../${folder}/`, import.meta.url)
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(new URL(file, top), 'utf8') }))
}

/** Stands for a value in a template. */
const hole = '\u2400'

/** The `html` templates of a source, without their values; those in values are templates of their own. */
export function templatesIn(source: string): string[] {
  const templates: string[] = []
  /** Reads code up to the `}` that ends it, and returns what follows. */
  const readCode = (start: number): number => {
    let depth = 0
    for (let at = start; at < source.length; at++) {
      const char = source[at]
      if (char === "'" || char === '"') at = source.indexOf(char, at + 1)
      else if (source.startsWith('//', at)) at = source.indexOf('\n', at)
      else if (source.startsWith('/*', at)) at = source.indexOf('*/', at)
      else if (char === '`') at = readTemplate(at)
      else if (char === '{') depth++
      else if (char === '}' && depth-- === 0) return at
    }
    return source.length
  }
  /** Reads a template from its first backtick, and returns the place of its last. */
  const readTemplate = (start: number): number => {
    let text = ''
    let at = start + 1
    for (; at < source.length && source[at] !== '`'; at++) {
      if (source.startsWith('${', at)) {
        text += hole
        at = readCode(at + 2)
      } else if (source[at] === '\\') at++
      else text += source[at]
    }
    if (source.slice(0, start).endsWith('html')) templates.push(text)
    return at
  }
  readCode(0)
  return templates
}

const shownAttributes = ['alt', 'title', 'placeholder', 'aria-label', 'aria-description']

/** Attributes of a template that is a part of a tag, and the content of `noscript`. */
const markup = /<[^>]*>|(?:^|\s)[\w-]+="[^"]*"|^ ?(?:checked|required|selected)$/g

/** What a reader would see of a template, apart from values and code. */
export function textsIn(template: string): string[] {
  const document = documentOf(template)
  const attributes = elementsIn(document).flatMap(({ attrs }) =>
    attrs.filter(({ name }) => shownAttributes.includes(name)).map(({ value }) => value),
  )
  const texts = [...nodesIn(document)].flatMap((node) =>
    node.nodeName === '#text' && 'value' in node && node.parentNode?.nodeName !== 'code'
      ? [node.value.replace(markup, '')]
      : [],
  )
  return [...attributes, ...texts].filter((text) => /\p{L}/u.test(text))
}

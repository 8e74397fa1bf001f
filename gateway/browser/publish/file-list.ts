import type { Group } from '@figbase/client'
import { bytesFormat } from '../../src/texts/bytes.js'
import type { Texts } from './publish-form.js'

const kinds = ['image', 'code', 'data', 'description'] as const

/** The chosen files by their figures, and which are not published. */
export function fileList(
  groups: Group<File>[],
  files: File[],
  texts: Texts,
  remove: (file: File) => void,
): HTMLElement[] {
  const used = new Set<File>()
  const items = groups.flatMap((group) => {
    const rows = kinds.flatMap((kind) =>
      [group[kind] ?? []].flat().map((file) => {
        used.add(file)
        return row(file, texts[kind], texts, () => remove(file))
      }),
    )
    return group.name === ''
      ? rows
      : [element('li', {}, element('b', {}, group.name), ' '), ...rows]
  })
  const unused = files.filter((file) => !used.has(file)).map(({ name }) => name)
  if (unused.length === 0) return items
  const note = texts.unused.replace('{}', () => unused.join(', '))
  return [...items, element('li', { className: 'quiet' }, note)]
}

function row({ name, size }: File, kind: string, texts: Texts, onRemove: () => void) {
  const button = element(
    'button',
    { type: 'button', className: 'secondary', onclick: onRemove },
    '×',
  )
  button.ariaLabel = texts.remove.replace('{}', () => name)
  const facts = element('span', { className: 'quiet' }, `${kind} · ${sizeText(size)}`)
  return element('li', {}, element('span', {}, name), facts, button)
}

const sizeText = bytesFormat(document.documentElement.lang)

/** An element with its properties and its content. */
function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...content: (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...content)
  return made
}

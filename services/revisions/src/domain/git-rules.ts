import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'

/** The file at the root of a repository that says what is imported. */
export const rulesPath = '.figbase.yml'

/** What a rule says about the figure of a picture. Undefined: the default. */
export type FigureRule = {
  /** A picture. */
  path: string
  name?: string | undefined
  code?: string[] | undefined
  data?: string[] | undefined
  description?: string | undefined
}

export type Rules = { include: string[]; exclude: string[]; figures: FigureRule[] }

export const noRules: Rules = { include: [], exclude: [], figures: [] }

const figuresMax = 1000
const listMax = 50
const textCharsMax = 200
const descriptionCharsMax = 10_000

/** The rules are wrong. The message names the line. */
export class RulesError extends Error {
  override name = 'RulesError'
}

/** Undefined if it is nested so deeply that its parser fails. */
function parsed(text: string, lineCounter: LineCounter) {
  try {
    return parseDocument(text, { lineCounter })
  } catch {
    return undefined
  }
}

/** Reads the rules. Throws a `RulesError`. */
export function parseRules(text: string): Rules {
  const lines = new LineCounter()
  const fail = (offset: number | undefined, reason: string): never => {
    const { line } = lines.linePos(offset ?? 0)
    throw new RulesError(`${rulesPath}, line ${Math.max(1, line)}: ${reason}`)
  }
  const document = parsed(text, lines)
  const [error] = document?.errors ?? []
  if (error) return fail(error.pos[0], error.message.split('\n')[0] ?? 'is not YAML')
  if (!document) return fail(0, 'is nested too deeply')
  if (document.contents === null) return noRules
  const at = (node: unknown) => (node as Node | undefined)?.range?.[0]
  const textOf = (node: unknown, member: string, charsMax = textCharsMax): string => {
    // An alias is no text.
    const value = isScalar(node) ? node.value : undefined
    if (typeof value !== 'string' || value.trim() === '' || value.length > charsMax)
      return fail(at(node), `${member} must be a text of at most ${charsMax} characters`)
    return value
  }
  const textsOf = (node: unknown, member: string): string[] => {
    if (!isSeq(node)) return [textOf(node, member)]
    if (node.items.length > listMax)
      return fail(at(node), `${member} must have at most ${listMax} entries`)
    return node.items.map((item) => textOf(item, member))
  }
  const members = (map: YAMLMap, known: string[]) => {
    const found = new Map<string, unknown>()
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : ''
      if (!known.includes(name))
        return fail(at(key), `${name || 'this member'} is unknown; known are ${known.join(', ')}`)
      found.set(name, value)
    }
    return found
  }
  const figureOf = (node: unknown): FigureRule => {
    if (!isMap(node)) return fail(at(node), 'a figure must have members, such as path')
    const found = members(node, ['path', 'name', 'code', 'data', 'description'])
    if (!found.has('path')) return fail(at(node), 'a figure must have a path')
    const optional = <T>(name: string, read: (node: unknown, member: string) => T) =>
      found.has(name) ? read(found.get(name), name) : undefined
    return {
      path: normal(textOf(found.get('path'), 'path')),
      name: optional('name', textOf),
      code: optional('code', textsOf)?.map(normal),
      data: optional('data', textsOf)?.map(normal),
      description: optional('description', (value, member) =>
        textOf(value, member, descriptionCharsMax),
      ),
    }
  }

  const { contents } = document
  if (!isMap(contents)) return fail(at(contents), 'must have members: include, exclude, figures')
  const found = members(contents, ['include', 'exclude', 'figures'])
  const listed = found.get('figures')
  if (listed !== undefined && !isSeq(listed)) return fail(at(listed), 'figures must be a list')
  const figures = isSeq(listed) ? listed.items : []
  if (figures.length > figuresMax)
    return fail(at(listed), `figures must have at most ${figuresMax} entries`)
  const patterns = (name: string) => (found.has(name) ? textsOf(found.get(name), name) : [])
  return {
    include: patterns('include'),
    exclude: patterns('exclude'),
    figures: figures.map(figureOf),
  }
}

const normal = (path: string) => path.replace(/^(\.?\/)+/, '')

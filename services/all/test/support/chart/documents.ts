import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { allSettings } from '../../../src/settings-table.js'
import { secretNames, table } from './files.js'

const begin = '<!-- values: npm run settings writes this table -->'
const end = '<!-- /values -->'

type Schema = { definitions: Record<string, object> }

/** The schema of the values with the settings that the code declares now. */
export function withSettings(schemaText: string): object {
  const schema: Schema = JSON.parse(schemaText)
  const isManaged = (name: string) => name in table.managed || secretNames.includes(name)
  const names = allSettings()
    .map(({ name }) => name)
    .filter((name) => !isManaged(name))
    .sort()
  const objectOf = (keys: string[], definition: string) => ({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      keys.map((key) => [key, { $ref: `#/definitions/${definition}` }]),
    ),
  })
  const { definitions } = schema
  return {
    ...schema,
    definitions: {
      ...definitions,
      settings: objectOf(names, 'setting'),
      secrets: objectOf(secretNames, 'secret'),
    },
  }
}

/** The README with the table of the values: their names, defaults and comments. */
export function withValuesTable(readme: string, values: string): string {
  const from = readme.indexOf(begin)
  const to = readme.indexOf(end)
  if (from < 0 || to < from) throw new Error('the README lacks the markers of the values')
  const rows = rowsOf(parseDocument(values).contents as YAMLMap, '')
  const lines = rows.map(({ path, fallback, about }) => `| \`${path}\` | ${fallback} | ${about} |`)
  const head = '| value | default | |\n|---|---|---|'
  return `${readme.slice(0, from)}${begin}\n${head}\n${lines.join('\n')}\n${readme.slice(to)}`
}

type Row = { path: string; fallback: string; about: string }

/** One row for each value, and for each group with a comment. */
function rowsOf(map: YAMLMap, above: string): Row[] {
  return map.items.flatMap((pair, index) => {
    const { key, value } = pair as Pair<{ value: string; commentBefore?: string }>
    // The comment before the first key belongs to the map.
    const comment = key.commentBefore ?? (index === 0 && above ? map.commentBefore : undefined)
    const about = (comment?.split('\n\n').at(-1) ?? '')
      .split('\n')
      .map((line) => line.trim())
      .join(' ')
      .replaceAll('|', '\\|')
    const path = above ? `${above}.${key.value}` : key.value
    if (isMap(value) && value.items.length > 0 && !value.flow) {
      const below = rowsOf(value, path)
      return about ? [{ path, fallback: '', about }, ...below] : below
    }
    return [{ path, fallback: defaultOf(value), about }]
  })
}

function defaultOf(value: unknown): string {
  const json = JSON.stringify(isScalar(value) ? value.value : value)
  return json === '""' ? '' : `\`${json.replaceAll('|', '\\|')}\``
}

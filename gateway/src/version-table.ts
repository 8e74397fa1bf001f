import { endpoints } from './routes/index.js'
import { type VersionChange, versionHistory } from './version-history.js'

const begin = '<!-- versions: npm run versions writes this table -->'
const end = '<!-- /versions -->'

/** The page of the guide with the table of versions between its two markers. */
export function withVersionTable(document: string): string {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error('the document lacks the markers of the versions')
  return `${document.slice(0, from)}${begin}\n\n${table()}\n\n${document.slice(to)}`
}

function table() {
  const rows = versionHistory(endpoints).flatMap(({ version, changes }) => {
    if (changes.length === 0) return [`| ${version} | | nothing |`]
    return changes.map((change, n) => `| ${n === 0 ? version : ''} | ${rowOf(change)} |`)
  })
  return ['| from | route or member | change |', '|---|---|---|', ...rows].join('\n')
}

const rowOf = (change: VersionChange) =>
  `\`${'route' in change ? change.route : change.member}\` | ${change.change}`

import { type Html, html } from '@figbase/kit/text'
import { type DataObject, DataType } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { fileInfo } from '../../routes/data/file-info.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { type Deadline, deadlineIn } from '../deadline.js'
import { formattedJson } from '../json.js'
import { moreThan } from '../lists.js'
import { readText } from '../read-text.js'
import { isCsv } from '../tables/data-tables.js'
import { parseTable } from '../tables/table.js'
import { nameHtml } from '../text.js'
import { diffHtml } from './diff-html.js'
import { diffLines } from './line-diff.js'
import { type Pair, pairObjects, type State, stateOf } from './pair-objects.js'
import { diffTables } from './table-diff.js'
import { tableDiffHtml } from './table-diff-html.js'

/** The maximum number of objects whose content is compared. */
const comparedMax = 10

const states: Record<State, MessageKey> = {
  same: 'compare.state.same',
  changed: 'compare.state.changed',
  added: 'compare.state.added',
  removed: 'compare.state.removed',
}

type Changed = { before: DataObject; after: DataObject }

/** The data objects of two revisions, and how code, texts and tables differ; reads them in parallel. */
export async function objectChanges(
  input: Input,
  before: DataObject[],
  after: DataObject[],
): Promise<Html> {
  const { t } = textsOf(input)
  const pairs = pairObjects(before, after)
  if (pairs.length === 0) return html``
  const changed = pairs.filter((pair) => stateOf(pair) === 'changed') as Changed[]
  const compared = changed.filter(({ after }) => isText(after) || isCsv(after))
  const contents = await Promise.all(
    compared.slice(0, comparedMax).map((pair) => readContents(input, pair)),
  )
  const deadline = deadlineIn(input.cfg.pageDiffTimeoutMs)
  const shown = pairs.slice(0, input.cfg.pageItemsMax)
  const list = shown.map((pair) => row(textsOf(input), pair))
  return html`<h2>${t('data.title')}</h2>
<ul class="rows">${list}</ul>${moreThan(textsOf(input), shown.length, pairs.length)}
${contents.map((content) => contentHtml(input, content, deadline))}
${compared.length > comparedMax ? html`<p class="quiet">${t('list.shown', { shown: comparedMax, count: compared.length })}</p>` : html``}`
}

const isText = ({ type }: DataObject) => type === DataType.CODE || type === DataType.TEXT

function row({ t, bytes }: Texts, pair: Pair) {
  const { before, after } = pair
  const object = after ?? before
  const state = stateOf(pair)
  const sizes = [before, after].flatMap((one) => (one ? bytes(one.sizeBytes) : []))
  const size = state === 'same' ? (sizes[0] ?? '') : sizes.join(' → ')
  return html`<li><span>${nameHtml(object ? fileInfo(object).name : '')}</span>
<span class="quiet">${t(states[state])}, ${size}</span></li>`
}

type Content = Changed & {
  bytesMax: number
  /** Undefined if it is no text or too large. */
  texts: [string | undefined, string | undefined]
}

/** Reads both objects, or of tables the beginning. */
async function readContents(input: Input, { before, after }: Changed): Promise<Content> {
  const { pageTextBytesMax, pageTableBytesMax } = input.cfg
  const bytesMax = Math.floor(isCsv(after) ? pageTableBytesMax / comparedMax : pageTextBytesMax / 4)
  const isLarge = [before, after].some(({ sizeBytes }) => sizeBytes > bytesMax)
  const read = (object: DataObject) =>
    isLarge && !isCsv(after)
      ? undefined
      : readText(input, object, Math.min(Number(object.sizeBytes), bytesMax))
  return { before, after, bytesMax, texts: await Promise.all([read(before), read(after)]) }
}

function contentHtml(input: Input, content: Content, deadline: Deadline): Html {
  const texts = textsOf(input)
  const { name } = fileInfo(content.after)
  const shown = isCsv(content.after)
    ? tablesHtml(input, name, content, deadline)
    : textsHtml(texts, name, content, deadline)
  return html`<h3>${nameHtml(name)}</h3>
${shown ?? html`<p class="quiet">${texts.t('compare.tooLarge')}</p>`}`
}

function tablesHtml(
  input: Input,
  name: string,
  { before, after, texts: [old, recent], bytesMax }: Content,
  deadline: Deadline,
) {
  if (old === undefined || recent === undefined) return undefined
  const tableOf = (csv: string, { sizeBytes }: DataObject) =>
    parseTable(csv, sizeBytes > bytesMax, bytesMax)
  const tables = { before: tableOf(old, before), after: tableOf(recent, after) }
  const diff = diffTables(tables.before, tables.after, input.cfg.pageItemsMax, deadline)
  return tableDiffHtml(textsOf(input), name, tables, diff)
}

function textsHtml(
  texts: Texts,
  name: string,
  { texts: [old, recent] }: Content,
  deadline: Deadline,
) {
  if (old === undefined || recent === undefined) return undefined
  const linesOf = (text: string) => (name.endsWith('.json') && formattedJson(text)) || text
  const hunks = diffLines(linesOf(old), linesOf(recent), deadline)
  return hunks && diffHtml(texts, name, hunks)
}

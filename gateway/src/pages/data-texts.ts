import { type Html, html } from '@figbase/kit/text'
import { type DataObject, DataType } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { fileInfo } from '../routes/data/file-info.js'
import { textsOf } from '../texts/texts.js'
import { highlight } from './code/highlight.js'
import { languageOf } from './code/languages.js'
import { type Deadline, deadlineIn } from './deadline.js'
import { parsedJson } from './json.js'
import { jsonTree } from './json-tree.js'
import { readText } from './read-text.js'
import { nameHtml } from './text.js'

/** The maximum number of texts to show. */
const textsMax = 10

type Excerpt = { object: DataObject; bytes: number }

/** Renders the code and texts of a revision, up to `PAGE_TEXT_BYTES_MAX`; reads them in parallel. */
export async function renderTexts(input: Input, data: DataObject[]): Promise<Html[]> {
  const excerpts = excerptsOf(data, input.cfg.pageTextBytesMax)
  const texts = await Promise.all(
    excerpts.map(({ object, bytes }) => readText(input, object, bytes)),
  )
  const deadline = deadlineIn(input.cfg.pageHighlightTimeoutMs)
  return excerpts.flatMap((excerpt, i) => textHtml(input, excerpt, texts[i], deadline))
}

/** Selects the objects to show, code first, and how much of each. */
export function excerptsOf(data: DataObject[], bytesMax: number): Excerpt[] {
  const ofType = (wanted: DataType) => data.filter(({ type }) => type === wanted)
  const excerpts: Excerpt[] = []
  let left = bytesMax
  for (const object of [...ofType(DataType.CODE), ...ofType(DataType.TEXT)]) {
    const bytes = object.sizeBytes < left ? Number(object.sizeBytes) : left
    if (excerpts.length === textsMax) break
    if (bytes > 0) excerpts.push({ object, bytes })
    left -= bytes
  }
  return excerpts
}

function textHtml(
  input: Input,
  { object, bytes }: Excerpt,
  text: string | undefined,
  deadline: Deadline,
): Html[] {
  if (text === undefined) return []
  const isCut = bytes < object.sizeBytes
  const { name } = fileInfo(object)
  const texts = textsOf(input)
  const { t, bytes: size } = texts
  const note = isCut
    ? html`<p class="quiet">${t('data.cut', { size: size(object.sizeBytes) })}</p>`
    : html``
  const json = !isCut && name.endsWith('.json') ? parsedJson(text) : undefined
  const shown = json
    ? jsonTree(texts, json.value, input.cfg.pageJsonValuesMax)
    : codeHtml(name, text, deadline)
  return [
    html`<h3>${nameHtml(name)}</h3>
${shown}${note}`,
  ]
}

function codeHtml(name: string, text: string, deadline: Deadline) {
  const language = languageOf(name)
  const code = language ? highlight(text, language, deadline) : text
  return html`<pre tabindex="0" role="region" aria-label="${name}"><code>${code}</code></pre>`
}

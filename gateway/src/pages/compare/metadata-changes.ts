import { type Html, html } from '@figbase/kit/text'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { deadlineIn } from '../deadline.js'
import { formattedJson } from '../json.js'
import { diffHtml } from './diff-html.js'
import { diffLines } from './line-diff.js'

/** Larger metadata is not compared. */
const charsMax = 64 * 1024

/** How the metadata and the description differ, if they do. */
export function metadataChanges(input: Input, before: Revision, after: Revision): Html {
  const texts = textsOf(input)
  const { t } = texts
  const [old, recent] = [documentOf(before), documentOf(after)]
  if (old !== undefined && old === recent) return html``
  const hunks =
    old === undefined || recent === undefined
      ? undefined
      : diffLines(old, recent, deadlineIn(input.cfg.pageDiffTimeoutMs))
  const shown = hunks
    ? diffHtml(texts, t('revision.metadata').toString(), hunks)
    : html`<p class="quiet">${t('compare.tooLarge')}</p>`
  return html`<h2>${t('revision.metadata')}</h2>${shown}`
}

/** The metadata as lines; undefined if they are too large. */
function documentOf({ metadataJson, description }: Revision): string | undefined {
  if (metadataJson.length > charsMax) return undefined
  const metadata = metadataJson === '' ? '{}' : metadataJson
  const text = description ? `"description": ${JSON.stringify(description.text)}, ` : ''
  return formattedJson(`{${text}"metadata": ${metadata}}`)
}

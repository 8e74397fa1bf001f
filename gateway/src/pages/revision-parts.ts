import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { type Texts, textsOf } from '../texts/texts.js'
import { parsedJson } from './json.js'
import { jsonTree } from './json-tree.js'
import { largePicture } from './pictures.js'
import { metadataLink } from './search/metadata-link.js'
import { nameHtml, paragraphHtml } from './text.js'

/** The picture of a revision, or why there is none. */
export function pictureOf(texts: Texts, revision: Revision, name: Html): Html {
  const { t } = texts
  const { isProcessing, type, hasThumbnail } = revision
  if (hasThumbnail) return largePicture(texts, revision, name)
  if (isProcessing) return html`<p class="empty">${t('revision.processing')}</p>`
  // Most assets are tables and files.
  if (type === NodeType.ASSET_REVISION) return html``
  return html`<p class="empty">${t('revision.noPicture')}</p>`
}

/** The description of a revision and its author. */
export function descriptionOf({ t }: Texts, { description }: Revision): Html {
  if (!description) return html``
  const { text, author } = description
  const by =
    author === 'ai'
      ? t('revision.describedByAi')
      : t('revision.describedBy', { name: nameHtml(author) })
  return html`<h2>${t('revision.description')}</h2>${paragraphHtml(text)}
<p class="quiet">${by}</p>`
}

/** The metadata of a revision, folded. */
export function metadataOf(input: Input, { metadataJson }: Revision): Html {
  const value = parsedJson(metadataJson)?.value
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return html``
  const texts = textsOf(input)
  return html`<details class="folded"><summary><h2>${texts.t('revision.metadata')}</h2></summary>
${jsonTree(texts, value, input.cfg.pageJsonValuesMax, metadataLink(input))}</details>`
}

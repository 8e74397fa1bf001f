import { toIso } from '@figbase/kit/db'
import { type Html, html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Input } from '../../endpoint.js'
import { siteOriginOf } from '../../http/site-origin.js'
import { textsOf } from '../../texts/texts.js'
import { copyable } from '../copyable.js'
import { bibtex } from './bibtex.js'
import { qrCode } from './qr-code.js'

/** How to cite and share a revision: its address as a link and as a QR code, a citation, and one for BibTeX. */
export function citationOf(input: Input, revision: Revision, name: string | undefined): Html {
  const texts = textsOf(input)
  const { t } = texts
  const { id, shortId, type, revisionIndex, createdBy, onBehalf, createdOn } = revision
  const path = type === NodeType.ASSET_REVISION ? `/asset_revision/${id}` : `/r/${shortId || id}`
  const address = `${siteOriginOf(input)}${path}`
  const number = revisionIndex + 1
  // Citations are the same for all readers.
  const title = name === undefined ? `Revision ${number}` : `${name}, revision ${number}`
  const author = onBehalf?.name ?? createdBy
  const date = createdOn ? toIso(createdOn).slice(0, 10) : ''
  const key = `figbase-${shortId || id}`
  const text = `${author} (${date}). ${title}. ${address}`
  return html`<details class="folded"><summary><h2>${t('cite.title')}</h2></summary>
<div class="cite"><div><h3>${t('cite.link')}</h3>${copyable(texts, t('cite.link'), address)}
<h3>${t('cite.text')}</h3>${copyable(texts, t('cite.text'), text)}
<h3>${t('cite.bibtex')}</h3>${copyable(texts, t('cite.bibtex'), bibtex({ key, author, title, date, address }))}</div>
${qrCode(address, t('cite.qr'))}</div></details>`
}

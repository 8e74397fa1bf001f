import { type Html, html } from '@figbase/kit/text'
import type { Revision } from '@figbase/proto/revisions'
import type { MessageKey, Texts } from '../../texts/texts.js'
import { fullPath } from '../pictures.js'

const views: [string, MessageKey][] = [
  ['sides', 'compare.sideBySide'],
  ['overlay', 'compare.overlay'],
  ['difference', 'compare.difference'],
]

/** The pictures of two revisions. The style sheet does what the chosen view says, so it works without the script. */
export function comparedPictures({ t }: Texts, before: Revision, after: Revision): Html {
  if (!before.hasThumbnail || !after.hasThumbnail) return html``
  if (before.imageHash !== '' && before.imageHash === after.imageHash)
    return html`<h2>${t('compare.pictures')}</h2><p>${t('compare.samePicture')}</p>
<div class="compare"><div class="stack">${pictureOf({ t }, after)}</div></div>`
  const choices = views.map(([name, label], i) => {
    const radio =
      i === 0
        ? html`<input type="radio" name="view" value="${name}" checked>`
        : html`<input type="radio" name="view" value="${name}">`
    return html`<label>${radio} ${t(label)}</label>`
  })
  return html`<h2>${t('compare.pictures')}</h2>
<div class="compare"><fieldset><legend>${t('compare.view')}</legend>${choices}
<label class="slider" hidden>${t('compare.slider')} <input type="range" min="0" max="100" value="50"></label></fieldset>
<div class="stack">${pictureOf({ t }, before)}${pictureOf({ t }, after)}</div></div>`
}

function pictureOf({ t }: Pick<Texts, 't'>, revision: Revision) {
  const path = fullPath(revision)
  const name = t('revision.number', { number: revision.revisionIndex + 1 })
  return html`<a href="${path}" title="${t('picture.full')}"><img src="${path}" alt="${name}"></a>`
}

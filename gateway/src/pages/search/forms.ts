import { type Html, html } from '@figbase/kit/text'
import type { Node } from '@figbase/proto/catalog'
import type { Input } from '../../endpoint.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { formToken } from '../form.js'
import { nameHtml } from '../text.js'
import { searchBox } from './search-box.js'
import { type foundKinds, metadataOf, searchPath, type types, type Values } from './values.js'

type Choice = Pick<Node, 'id' | 'name'>

const ways: [keyof typeof types, MessageKey][] = [
  ['words', 'search.byWords'],
  ['any', 'search.byAny'],
  ['meaning', 'search.byMeaning'],
]

const kindNames: Record<keyof typeof foundKinds, MessageKey> = {
  figure: 'kind.figure',
  revision: 'search.figureRevision',
  asset: 'kind.asset',
  asset_revision: 'search.assetRevision',
  story: 'kind.story',
  analysis: 'kind.analysis',
  workspace: 'kind.workspace',
}

/** The form with all filters. */
export function searchForm(texts: Texts, values: Values, workspaces: Choice[]): Html {
  const { t } = texts
  const radios = ways.map(
    ([way, label]) =>
      html`<label><input type="radio" name="by" value="${way}"${way === values.by ? html` checked=""` : html``}> ${t(label)}</label>`,
  )
  const options = workspaces.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === values.workspace ? html` selected=""` : html``}>${name}</option>`,
  )
  const kinds = Object.entries(kindNames).map(
    ([kind, name]) =>
      html`<option value="${kind}"${kind === values.kind ? html` selected=""` : html``}>${t(name)}</option>`,
  )
  const hidden = (name: string, value: string) =>
    html`<input type="hidden" name="${name}" value="${value}">`
  const kept = [
    ...values.meta.map((text) => hidden('meta', text)),
    ...(values.analysis ? [hidden('analysis', values.analysis)] : []),
  ]
  const filters = html`<fieldset><legend class="hidden">${t('search.how')}</legend>${radios}</fieldset>
<label>${t('kind.workspace')} <select name="workspace"><option value="">${t('search.everywhere')}</option>${options}</select></label>
<label>${t('search.kind')} <select name="kind"><option value="">${t('search.allKinds')}</option>${kinds}</select></label>
<label>${t('search.metadata')} <input name="meta" maxlength="701" autocapitalize="none" spellcheck="false"></label>${kept}
<label><input type="checkbox" name="stale" value="1"${values.stale ? html` checked=""` : html``}> ${t('search.onlyStale')}</label>
<p class="quiet">${t('search.hint')}</p>`
  return searchBox(texts, { q: values.q, filters })
}

/** The filters in effect, each with a link that removes it. */
export function filterChips({ t }: Texts, values: Values, places: Map<string, Choice>): Html {
  const way = ways.find(([way]) => way === values.by && way !== 'words')
  const onlyIn = (place: 'workspace' | 'analysis', text: MessageKey) => {
    const found = places.get(values[place])
    return found ? [chip(t(text, { name: nameHtml(found.name) }), { [place]: '' })] : []
  }
  const chips = [
    ...onlyIn('workspace', 'search.onlyIn'),
    ...onlyIn('analysis', 'search.onlyInAnalysis'),
    ...(values.kind ? [chip(t(kindNames[values.kind]), { kind: '' })] : []),
    ...values.meta.map((text) => {
      const { key, value } = metadataOf(text)
      const shown = key ? html`<bdi>${key}</bdi> = <bdi>${value}</bdi>` : html`<bdi>${text}</bdi>`
      return chip(shown, { meta: values.meta.filter((other) => other !== text) })
    }),
    ...(values.stale ? [chip(t('search.onlyStale'), { stale: '' })] : []),
    ...(way && values.q ? [chip(t(way[1]), { by: 'words' })] : []),
  ]
  return chips.length > 0 ? html`<ul class="chips">${chips}</ul>` : html``

  function chip(text: Html, without: Partial<Values>) {
    const href = searchPath({ ...values, ...without })
    return html`<li><a href="${href}"><span class="hidden">${t('search.remove')} </span>${text} <span aria-hidden="true">×</span></a></li>`
  }
}

/** The script also takes pictures that are pasted, or dropped on the page. */
export function pictureForm(input: Input, { workspace }: Values, isOpen: boolean): Html {
  const { t } = textsOf(input)
  return html`<details class="by-picture"${isOpen ? html` open=""` : html``}><summary>${t('search.byPicture')}</summary>
<form method="post" action="/search/picture/" enctype="multipart/form-data">${formToken(input)}<input type="hidden" name="workspace" value="${workspace}">
<label>${t('search.picture')} <input type="file" name="file" accept="image/*,.pdf,.eps" required></label>
<p class="quiet" hidden>${t('search.pasteOrDrop')}</p>
<button>${t('search.submit')}</button></form></details>`
}

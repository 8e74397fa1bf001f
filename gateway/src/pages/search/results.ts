import { Html, html } from '@figbase/kit/text'
import type { SearchResult } from '@figbase/proto/search'
import type { Input } from '../../endpoint.js'
import { required } from '../../required.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { kindOf, pagePath } from '../kinds.js'
import { possiblePicture } from '../pictures.js'
import { nameHtml } from '../text.js'

const snippetsMax = 2

/** The list of what was found. Revisions have the name of their figure or asset. */
export async function resultList(input: Input, results: SearchResult[]): Promise<Html> {
  const { services, call } = input
  const texts = textsOf(input)
  const nodes = results.map(({ node }) => required(node))
  const unnamed = nodes.filter(({ name }) => name === '').map(({ parentId }) => parentId)
  const parents =
    unnamed.length > 0 ? await services.catalog.resolveNodes({ ids: unnamed }, call) : undefined
  const names = new Map(parents?.nodes.map(({ id, name }) => [id, name]))
  const items = results.map((result) => {
    const { name, parentId } = required(result.node)
    return item(texts, result, name || names.get(parentId))
  })
  const summary = html`<p class="quiet" role="status">${texts.t('search.count', { count: results.length })}</p>`
  return html`${summary}<ol class="results">${items}</ol>`
}

function item(
  { t, date }: Texts,
  { node: found, highlights }: SearchResult,
  name: string | undefined,
) {
  const node = required(found)
  const picture = possiblePicture(node)
  const kind = t(kindOf(node.type).name)
  const snippets = highlights
    .filter(({ field }) => field !== 'name')
    .flatMap(({ snippets }) => snippets)
    .slice(0, snippetsMax)
  return html`<li>${picture ? html`<img src="${picture}" alt="" loading="lazy">` : html``}<div>
<p class="kind">${kind}</p>
<p><a href="${pagePath(node)}">${name ? nameHtml(name) : kind}</a>
<span class="quiet">${date(node.childUpdatedOn ?? node.createdOn)}</span></p>
${snippets.map((snippet) => html`<p class="snippet" dir="auto">${marked(snippet)}</p>`)}</div></li>`
}

/** The only tag of a snippet is `<mark>`; any other would be escaped. */
const marked = (snippet: string) =>
  new Html(
    snippet.replace(
      /<(?!\/?mark>)|(?<!<\/?mark)>|[\u0022\u0027]/g,
      (char) => `&#${char.charCodeAt(0)};`,
    ),
  )

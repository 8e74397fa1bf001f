import { type Html, html } from '@figbase/kit/text'
import type { Node, NodePage } from '@figbase/proto/catalog'
import type { Input } from '../../endpoint.js'
import { type Texts, textsOf } from '../../texts/texts.js'
import { pageNotFound } from '../ids.js'
import { type Kind, kinds } from '../kinds.js'
import { cardList, rowList } from '../lists.js'
import { getPlaced, type Placed } from '../placed.js'
import { searchPath } from '../search/values.js'
import { cardsOf, rowsOf } from './items.js'
import { listForm } from './list-form.js'
import { isFiltered, listPath, queryOf, selectionOf, type View } from './query.js'

/** A page of one of the lists of an object, or of a member. */
export type ListPage = { kind: Kind; nodes: Node[]; nextPageToken: string }

/** Reads an object with the first page of each of its lists, or with one page of the list that is asked for. */
export async function readBrowsed(
  input: Input,
  id: string,
  kind: Kind,
  lists: Kind[],
): Promise<{ placed: Placed; pages: ListPage[] }> {
  const { list } = queryOf(input)
  if (list === undefined) {
    const children = lists.map(({ type }) => type)
    const { children: read, ...placed } = await getPlaced(input, id, kind.type, { children })
    return { placed, pages: lists.map((one, at) => toPage(one, read[at])) }
  }
  const only = lists.find(({ segment }) => segment === list)
  if (!only) throw pageNotFound()
  const [placed, read] = await Promise.all([
    getPlaced(input, id, kind.type),
    readChildren(input, id, only),
  ])
  return { placed, pages: [toPage(only, read)] }
}

/** What the query selects of a list: the page, the order and the filter. */
export function selectedPage(input: Input) {
  const { cursor: pageToken = '', ...query } = queryOf(input)
  return { pageSize: input.cfg.pageItemsMax, pageToken, ...selectionOf(query) }
}

/** As the query orders and filters them; `newestRevisions` of each. */
export const readChildren = (input: Input, parentId: string, { type }: Kind, newestRevisions = 0) =>
  input.services.catalog.listChildren(
    { parentId, type, newestRevisions, ...selectedPage(input) },
    input.call,
  )

export const toPage = (
  kind: Kind,
  page: Pick<NodePage, 'nodes' | 'nextPageToken'> | undefined,
): ListPage => ({
  kind,
  nodes: page?.nodes ?? [],
  nextPageToken: page?.nextPageToken ?? '',
})

/** Whether a page has the form of a list. */
export const hasListForm = (input: Input): boolean => queryOf(input).list !== undefined

type SectionOptions = {
  /** The page has no other list. */
  isMain?: boolean
  /** The search in the place of the list, which finds by more than its filter. */
  search?: Parameters<typeof searchPath>[0]
}

/** A heading, the choice of the view, the items, and the way to other pages. */
export function section(
  input: Input,
  page: ListPage,
  { isMain = false, search }: SectionOptions = {},
): Html {
  const texts = textsOf(input)
  const { t } = texts
  const { kind, nodes } = page
  const query = queryOf(input)
  const isAlone = query.list !== undefined
  const view = viewOf(kind, query.view)
  const list =
    nodes.length === 0
      ? html`<p class="empty">${t(isFiltered(query) ? 'list.noneFound' : 'list.empty')}</p>`
      : view === 'grid'
        ? cardList(texts, cardsOf(texts, nodes))
        : rowList(rowsOf(texts, nodes))
  const order =
    isAlone || nodes.length === 0
      ? html``
      : html`<a href="${listPath(input, { list: kind.segment })}">${t('list.order')}</a>`
  const views = nodes.length > 0 ? viewLinks(input, texts, kind, view) : html``
  const searchHref = search && input.username !== '' ? searchPath(search) : undefined
  const heading = isMain ? html`<h1>${t(kind.names)}</h1>` : html`<h2>${t(kind.names)}</h2>`
  return html`<div class="list">${heading}${order}${views}</div>
${isAlone ? listForm(texts, kind, query, searchHref) : html``}${list}${way(input, texts, page)}`
}

/** Kinds that have no picture. */
const withoutPicture: Kind[] = [kinds.story, kinds.organization]

/** Figures are pictures first. The others are easier to read as lines. */
function viewOf(kind: Kind, chosen: View | undefined): View {
  const { type } = kind
  if (withoutPicture.includes(kind)) return 'list'
  return chosen ?? (type === kinds.figure.type ? 'grid' : 'list')
}

function viewLinks(input: Input, { t }: Texts, kind: Kind, shown: View) {
  if (withoutPicture.includes(kind)) return html``
  const link = (view: View, label: Html) =>
    view === shown
      ? html`<span aria-current="true">${label}</span>`
      : html`<a href="${listPath(input, { view })}">${label}</a>`
  return html`<nav class="views" aria-label="${t('list.viewOf', { names: t(kind.names) })}">${link('grid', t('list.grid'))}${link('list', t('list.list'))}</nav>`
}

function way(input: Input, { t }: Texts, { kind: { segment }, nextPageToken }: ListPage) {
  const { list, cursor } = queryOf(input)
  const [whole = ''] = input.url.split('?')
  const links = [
    ...(list ? [html`<a href="${whole}">${t('list.whole')}</a>`] : []),
    ...(cursor ? [html`<a href="${listPath(input, {})}">${t('list.first')}</a>`] : []),
    ...(nextPageToken
      ? [
          html`<a rel="next" href="${listPath(input, { list: segment, cursor: nextPageToken })}">${t('list.next')}</a>`,
        ]
      : []),
  ]
  return links.length > 0 ? html`<p class="way">${links}</p>` : html``
}

import type { MessageInitShape } from '@bufbuild/protobuf'
import { isUuid } from '@figbase/kit/ids'
import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import { type SearchRequestSchema, type SearchResponse, SearchType } from '@figbase/proto/search'
import type { z } from 'zod'
import type { Input, Route } from '../../endpoint.js'
import { pageOfNodes } from '../../nodes/lists.js'
import { textsOf } from '../../texts/texts.js'
import { userFileForm } from '../form.js'
import { problemNote, tried } from '../form-problem.js'
import { type Page, userPage } from '../page.js'
import { filterChips, pictureForm, searchForm } from './forms.js'
import { resultList } from './results.js'
import { foundKinds, metadataOf, metaIn, query, searchPath, types, type Values } from './values.js'

/** Finds objects by words, and figures by meaning or by a picture. */
export const searchPages: Route[] = [
  userPage(
    '/search/',
    (input) => {
      const typed = input.query as z.output<typeof query>
      const values = {
        ...typed,
        q: typed.q.trim(),
        workspace: typed.workspace.toLowerCase(),
        analysis: typed.analysis.toLowerCase(),
        meta: [...new Set(metaIn(input.url))],
      }
      const request = {
        type: types[values.by],
        query: values.q,
        metadata: values.meta.map(metadataOf),
        onlyStale: values.stale !== '',
      }
      return searchPage(input, values, values.q || values.meta.length > 0 ? request : undefined)
    },
    { query },
  ),
  userFileForm(
    '/search/picture/',
    (cfg) => cfg.searchImageBytesMax,
    async (input, files) => {
      const [file] = files.file ?? []
      const values = { ...query.parse({ workspace: input.body.workspace }), meta: [] }
      const image = file?.bytes ?? Buffer.alloc(0)
      const page = await searchPage(input, values, { type: SearchType.IMAGE, image })
      return { status: page.status ?? 200, page }
    },
  ),
]

type Request = Pick<
  MessageInitShape<typeof SearchRequestSchema>,
  'type' | 'query' | 'image' | 'metadata' | 'onlyStale'
>

async function searchPage(
  input: Input,
  values: Values,
  request: Request | undefined,
): Promise<Page> {
  const { services, call } = input
  const texts = textsOf(input)
  const { t } = texts
  const { q, kind, workspace: workspaceId, analysis: analysisId, count: limit } = values
  const selected = { workspaceId, analysisId, types: kind ? [foundKinds[kind]] : [], limit }
  const [{ workspaces, places }, found] = await Promise.all([
    readPlaces(input, [workspaceId, analysisId]),
    request && tried(services.search.search({ ...request, ...selected }, call)),
  ])
  const isByPicture = request?.type === SearchType.IMAGE
  const { problem } = found ?? {}
  const answer = found && !found.problem ? found.value : undefined
  return {
    ...(problem && { status: problem.status }),
    title: q ? t('search.titleFor', { words: html`${q}` }) : t('search.title'),
    hasForm: true,
    content: html`<h1>${t('search.title')}</h1>
${searchForm(texts, values, workspaces)}${pictureForm(input, values, isByPicture)}
${filterChips(texts, values, places)}${problemNote(t, problem)}
${answer ? html`${await resultList(input, answer.results)}${isByPicture ? html`` : moreLink(input, values, answer)}` : html``}`,
  }
}

/** The first workspaces with the chosen one, and all places by their ids. */
async function readPlaces(input: Input, chosen: string[]) {
  const { services, call, cfg } = input
  const ids = chosen.filter(isUuid)
  const request = { type: NodeType.WORKSPACE, pageSize: cfg.pageItemsMax, pageToken: '' }
  const [{ items }, resolved] = await Promise.all([
    pageOfNodes(input, request),
    ids.length > 0 ? services.catalog.resolveNodes({ ids }, call) : undefined,
  ])
  const places = new Map([...items, ...(resolved?.nodes ?? [])].map((node) => [node.id, node]))
  const workspaces = [...places.values()].filter(({ type }) => type === NodeType.WORKSPACE)
  return { workspaces, places }
}

/** The next results, if the server may return more at once. A picture would have to be sent again. */
function moreLink(input: Input, values: Values, { results, limit }: SearchResponse) {
  if (results.length < limit || limit < values.count) return html``
  const href = searchPath({ ...values, count: limit * 2 })
  return html`<p class="way"><a href="${href}">${textsOf(input).t('search.more')}</a></p>`
}

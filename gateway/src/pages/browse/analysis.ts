import { html } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Input } from '../../endpoint.js'
import { textsOf } from '../../texts/texts.js'
import { heading } from '../heading.js'
import { idIn, pageNotFound } from '../ids.js'
import { kinds } from '../kinds.js'
import { type Page, page } from '../page.js'
import { getPlaced, type Placed } from '../placed.js'
import { dropAssets } from '../publish/assets.js'
import { hasListForm, type ListPage, readChildren, section, selectedPage, toPage } from './lists.js'
import { newLinks } from './new-links.js'
import { browseQuery, queryOf } from './query.js'

const { figure, asset, story } = kinds

export const analysis = page('/analysis/:id/', analysisPage, { query: browseQuery })

async function analysisPage(input: Input): Promise<Page> {
  const texts = textsOf(input)
  const { placed, figures, assets } = await read(input)
  const hasAssets = assets && (assets.nodes.length > 0 || !figures)
  return {
    title: html`${placed.node.name}`,
    hasForm: hasListForm(input),
    ...dropAssets(placed),
    content: html`<article>${await heading(texts, placed)}
${newLinks(texts, placed, [figure, asset, story])}
${figures ? section(input, figures, { search: { analysis: placed.node.id } }) : html``}
${hasAssets ? section(input, assets) : html``}</article>`,
  }
}

type Read = { placed: Placed; figures?: ListPage; assets?: ListPage }

/** Both lists, or one page of the list that is asked for. */
async function read(input: Input): Promise<Read> {
  const { list } = queryOf(input)
  const id = idIn(input)
  const type = NodeType.ANALYSIS
  if (list === asset.segment) {
    const [placed, assets] = await Promise.all([
      getPlaced(input, id, type),
      readScopedAssets(input, id),
    ])
    return { placed, assets: toPage(asset, assets) }
  }
  if (list !== undefined && list !== figure.segment) throw pageNotFound()
  const [{ scopedAssets, ...placed }, children] = await Promise.all([
    getPlaced(input, id, type, { scopedAssets: list === undefined }),
    readChildren(input, id, figure),
  ])
  const figures = toPage(figure, children)
  return { placed, figures, ...(scopedAssets && { assets: toPage(asset, scopedAssets) }) }
}

const readScopedAssets = (input: Input, analysisId: string) =>
  input.services.catalog.listScopedAssets({ analysisId, ...selectedPage(input) }, input.call)

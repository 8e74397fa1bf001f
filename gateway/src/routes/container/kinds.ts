import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Input } from '../../endpoint.js'
import { childrenOf, scopedAssetsOf, visibleNodes } from '../../nodes/lists.js'
import { type NodeWithLists, withoutLists } from '../../nodes/node-with-lists.js'
import { assetRevisionInList } from '../../shapes/asset-revision.js'
import {
  analysisSchema,
  analysisShape,
  assetSchema,
  figureSchema,
  organizationSchema,
  organizationShape,
  shallowAnalysis,
  shallowAnalysisSchema,
  shallowAsset,
  shallowAssetSchema,
  shallowFigure,
  shallowFigureSchema,
  shallowOrganization,
  shallowOrganizationSchema,
  shallowWorkspace,
  shallowWorkspaceSchema,
  staleFigure,
  workspaceSchema,
  workspaceShape,
} from '../../shapes/containers.js'
import { figureRevisionInList } from '../../shapes/figure-revision.js'
import { supports } from '../../versions.js'
import {
  newestThumbnail,
  revisionsWithThumbnail,
  thumbnailRevisionsMax,
} from '../core/thumbnail-member.js'
import { collect } from '../pagination.js'
import type { Container } from './container.js'

/** A document that shows nothing but nodes. */
const final = (body: unknown) => ({ body, isFinal: true })

const organization: Container = {
  segment: 'organization',
  type: NodeType.ORGANIZATION,
  shallow: shallowOrganization,
  shallowSchema: shallowOrganizationSchema,
  fullSchema: organizationSchema,
  includes: { children: [NodeType.WORKSPACE] },
  etagIncludes: { children: [NodeType.WORKSPACE] },
  full: fullOrganization,
  // Users are members of few organizations, so one RPC for each is fine.
  async *listed(input) {
    for await (const node of visibleNodes(input, NodeType.ORGANIZATION)) {
      yield (await fullOrganization(input, withoutLists(node))).body
    }
  },
}

async function fullOrganization(input: Input, opened: NodeWithLists) {
  const workspaces = await childrenOf(input, opened, NodeType.WORKSPACE)
  return final(organizationShape(opened.node, workspaces, input.version))
}

const workspace: Container = {
  segment: 'workspace',
  type: NodeType.WORKSPACE,
  parent: { member: 'organization', type: NodeType.ORGANIZATION, isOptional: true },
  shallow: shallowWorkspace,
  shallowSchema: shallowWorkspaceSchema,
  fullSchema: workspaceSchema,
  includes: { children: [NodeType.ANALYSIS, NodeType.ASSET, NodeType.STORY] },
  async full(input, opened) {
    const [analyses, assets, stories] = await Promise.all([
      childrenOf(input, opened, NodeType.ANALYSIS),
      childrenOf(input, opened, NodeType.ASSET),
      childrenOf(input, opened, NodeType.STORY),
    ])
    return final(workspaceShape(opened.node, { analyses, assets, stories }, input.version))
  },
  listed: (input) => listedWorkspaces(input),
}

async function* listedWorkspaces(input: Input) {
  const { version } = input
  const light = supports(version, 'lightWorkspaceList')
  // Reads all nodes at once instead of one query per workspace.
  const contents = (type: NodeType) => (light ? [] : collect(visibleNodes(input, type)))
  const [analyses, assets, stories] = await Promise.all([
    contents(NodeType.ANALYSIS),
    contents(NodeType.ASSET),
    contents(NodeType.STORY),
  ])
  const analysesIn = groupByParent(analyses)
  const assetsIn = groupByParent(assets)
  const storiesIn = groupByParent(stories)
  const contentOf = (node: Node) => ({
    analyses: analysesIn(node),
    assets: assetsIn(node),
    stories: storiesIn(node),
  })
  for await (const node of visibleNodes(input, NodeType.WORKSPACE)) {
    yield light ? shallowWorkspace(node, version) : workspaceShape(node, contentOf(node), version)
  }
}

function groupByParent(nodes: Node[]) {
  const byId = new Map<string, Node[]>()
  for (const node of nodes) {
    const known = byId.get(node.parentId)
    if (known) known.push(node)
    else byId.set(node.parentId, [node])
  }
  return ({ id }: Node) => byId.get(id) ?? []
}

const analysis: Container = {
  segment: 'analysis',
  type: NodeType.ANALYSIS,
  parent: { member: 'workspace', type: NodeType.WORKSPACE },
  shallow: shallowAnalysis,
  shallowSchema: shallowAnalysisSchema,
  fullSchema: analysisSchema,
  includes: {
    children: [NodeType.FIGURE],
    scopedAssets: true,
    newestRevisions: thumbnailRevisionsMax,
  },
  // A figure becomes stale without a change below the analysis.
  etagIncludes: { children: [NodeType.FIGURE], scopedAssets: true },
  async full(input, opened) {
    const [figures, assets, { thumbnail, isFinal }] = await Promise.all([
      childrenOf(input, opened, NodeType.FIGURE),
      scopedAssetsOf(input, opened),
      newestThumbnail(input, opened),
    ])
    const body = analysisShape(opened.node, { figures, assets, thumbnail }, input.version)
    return { body, isFinal }
  },
}

const figure: Container = {
  segment: 'figure',
  type: NodeType.FIGURE,
  parent: { member: 'analysis', type: NodeType.ANALYSIS },
  shallow: shallowFigure,
  shallowSchema: shallowFigureSchema,
  fullSchema: figureSchema,
  includes: { children: [NodeType.FIGURE_REVISION] },
  async full(input, opened) {
    const { version } = input
    const type = NodeType.FIGURE_REVISION
    const { revisions, ...more } = await revisionsWithThumbnail(input, opened, type)
    const body = Object.assign(staleFigure(opened.node, version), {
      thumbnail: more.thumbnail,
      revisions: revisions.map((revision) => figureRevisionInList(revision, version)),
    })
    return { body, isFinal: more.isFinal }
  },
}

const asset: Container = {
  segment: 'asset',
  type: NodeType.ASSET,
  parent: { member: 'workspace', type: NodeType.WORKSPACE },
  scopeMember: 'analysis',
  shallow: shallowAsset,
  shallowSchema: shallowAssetSchema,
  fullSchema: assetSchema,
  includes: { children: [NodeType.ASSET_REVISION] },
  async full(input, opened) {
    const { version } = input
    const type = NodeType.ASSET_REVISION
    const { revisions, ...more } = await revisionsWithThumbnail(input, opened, type)
    const body = Object.assign(shallowAsset(opened.node, version), {
      thumbnail: more.thumbnail,
      revisions: revisions.map((revision) => assetRevisionInList(revision, version)),
    })
    return { body, isFinal: more.isFinal }
  },
}

export const containers: Container[] = [organization, workspace, analysis, figure, asset]

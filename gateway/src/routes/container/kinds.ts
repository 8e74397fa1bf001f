import { type Node, NodeType } from '@figbase/proto/catalog'
import type { Input } from '../../endpoint.js'
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
  workspaceSchema,
  workspaceShape,
} from '../../shapes/containers.js'
import { figureRevisionInList } from '../../shapes/figure-revision.js'
import { has } from '../../versions.js'
import { thumbnailBelow } from '../core/thumbnail-member.js'
import { childrenOf, revisionsOf, scopedAssetsOf, visibleNodes } from '../nodes.js'
import { collect } from '../pages.js'
import type { Container } from './container.js'

const organization: Container = {
  segment: 'organization',
  type: NodeType.ORGANIZATION,
  shallow: shallowOrganization,
  shallowSchema: shallowOrganizationSchema,
  fullSchema: organizationSchema,
  full: fullOrganization,
  // People are in a few: one call for each.
  async *listed(input) {
    for await (const node of visibleNodes(input, NodeType.ORGANIZATION)) {
      yield await fullOrganization(input, node)
    }
  },
}

async function fullOrganization(input: Input, node: Node) {
  const workspaces = await childrenOf(input, node, NodeType.WORKSPACE)
  return organizationShape(node, workspaces, input.version)
}

const workspace: Container = {
  segment: 'workspace',
  type: NodeType.WORKSPACE,
  parent: { member: 'organization', type: NodeType.ORGANIZATION, isOptional: true },
  shallow: shallowWorkspace,
  shallowSchema: shallowWorkspaceSchema,
  fullSchema: workspaceSchema,
  async full(input, node) {
    const [analyses, assets] = await Promise.all([
      childrenOf(input, node, NodeType.ANALYSIS),
      childrenOf(input, node, NodeType.ASSET),
    ])
    return workspaceShape(node, analyses, assets, input.version)
  },
  listed: (input) => listedWorkspaces(input),
}

async function* listedWorkspaces(input: Input) {
  const { version } = input
  const light = has(version, 'lightWorkspaceList')
  // All at once, not a query a workspace.
  const inIt = (type: NodeType) => (light ? [] : collect(visibleNodes(input, type)))
  const [analyses, assets] = await Promise.all([inIt(NodeType.ANALYSIS), inIt(NodeType.ASSET)])
  const analysesIn = byParent(analyses)
  const assetsIn = byParent(assets)
  for await (const node of visibleNodes(input, NodeType.WORKSPACE)) {
    yield light
      ? shallowWorkspace(node, version)
      : workspaceShape(node, analysesIn(node), assetsIn(node), version)
  }
}

function byParent(nodes: Node[]) {
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
  async full(input, node) {
    const [figures, assets, thumbnail] = await Promise.all([
      childrenOf(input, node, NodeType.FIGURE),
      scopedAssetsOf(input, node),
      thumbnailBelow(input, node),
    ])
    return analysisShape(node, { figures, assets, thumbnail }, input.version)
  },
}

const figure: Container = {
  segment: 'figure',
  type: NodeType.FIGURE,
  parent: { member: 'analysis', type: NodeType.ANALYSIS },
  shallow: shallowFigure,
  shallowSchema: shallowFigureSchema,
  fullSchema: figureSchema,
  async full(input, node) {
    const { version } = input
    const [revisions, thumbnail] = await Promise.all([
      revisionsOf(input, node, NodeType.FIGURE_REVISION),
      thumbnailBelow(input, node),
    ])
    return {
      ...shallowFigure(node, version),
      thumbnail,
      revisions: revisions.map((revision) => figureRevisionInList(revision, version)),
    }
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
  async full(input, node) {
    const { version } = input
    const [revisions, thumbnail] = await Promise.all([
      revisionsOf(input, node, NodeType.ASSET_REVISION),
      thumbnailBelow(input, node),
    ])
    return {
      ...shallowAsset(node, version),
      thumbnail,
      revisions: revisions.map((revision) => assetRevisionInList(revision, version)),
    }
  },
}

export const containers: Container[] = [organization, workspace, analysis, figure, asset]

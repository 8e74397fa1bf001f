import { type Node, WorkspaceType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { required } from '../required.js'
import type { Version } from '../versions.js'
import { assetRevisionInListSchema } from './asset-revision.js'
import {
  childTimes,
  childTimesSchema,
  coreSchema,
  coreShape,
  datetime,
  importOf,
  importSchema,
  isoOrNull,
  thumbnailSchema,
  uuid,
} from './common.js'
import { figureRevisionInListSchema } from './figure-revision.js'
import { shallowStory, shallowStorySchema } from './story.js'

/**
 * A shallow object omits its collections. An empty list would mislead clients, but they load the object if the
 * list is missing.
 */
const nameFields = { name: z.string(), description: z.string().nullable() }

/** What containers have in common, for the OpenAPI document. */
export const namedObjectSchema = z
  .object({ ...coreSchema, ...childTimesSchema, ...nameFields })
  .meta({ id: 'NamedObject', base: 'CoreObject', description: 'The members of every container.' })

const staleBecauseSchema = z
  .object({
    asset: uuid,
    asset_name: z.string(),
    used_revision: uuid,
    used_revision_index: z.int(),
    newest_revision: uuid,
    newest_revision_index: z.int(),
    changed_on: datetime,
    changed_by: z.string(),
  })
  .meta({ id: 'StaleBecause', description: 'An asset that makes a figure stale.' })

export const shallowFigureSchema = z
  .object({
    ...coreSchema,
    ...childTimesSchema,
    ...nameFields,
    ...importSchema,
    analysis: uuid,
    auto_assign_pending: z.boolean(),
    is_stale: z.boolean(),
    stale_because: z.array(staleBecauseSchema).optional(),
  })
  .meta({
    id: 'FigureShallow',
    base: 'NamedObject',
    description: 'A figure, without its revisions.',
  })
export const figureSchema = shallowFigureSchema
  .extend({
    ...thumbnailSchema,
    revisions: z.array(figureRevisionInListSchema),
  })
  .meta({ id: 'Figure', base: 'FigureShallow', description: 'A figure.' })
export const shallowAnalysisSchema = z
  .object({
    ...coreSchema,
    ...childTimesSchema,
    ...nameFields,
    ...importSchema,
    workspace: uuid,
  })
  .meta({
    id: 'AnalysisShallow',
    base: 'NamedObject',
    description: 'An analysis, without its content.',
  })
export const shallowAssetSchema = z
  .object({
    ...coreSchema,
    ...childTimesSchema,
    ...nameFields,
    workspace: uuid,
    analysis: uuid.nullable(),
  })
  .meta({
    id: 'AssetShallow',
    base: 'NamedObject',
    description: 'An asset, without its revisions.',
  })
export const assetSchema = shallowAssetSchema
  .extend({
    ...thumbnailSchema,
    revisions: z.array(assetRevisionInListSchema),
  })
  .meta({ id: 'Asset', base: 'AssetShallow', description: 'An asset.' })
export const analysisSchema = shallowAnalysisSchema
  .extend({
    ...thumbnailSchema,
    figures: z.array(shallowFigureSchema),
    assets: z.array(shallowAssetSchema),
  })
  .meta({ id: 'Analysis', base: 'AnalysisShallow', description: 'An analysis.' })
export const shallowWorkspaceSchema = z
  .object({
    ...coreSchema,
    ...childTimesSchema,
    ...nameFields,
    workspace_type: z.enum(['primary', 'secondary']),
    organization: uuid.nullable(),
    compute_enabled: z.boolean(),
  })
  .meta({
    id: 'WorkspaceShallow',
    base: 'NamedObject',
    description: 'A workspace, without its content.',
  })
export const workspaceSchema = shallowWorkspaceSchema
  .extend({
    analyses: z.array(shallowAnalysisSchema),
    assets: z.array(shallowAssetSchema),
    stories: z.array(shallowStorySchema),
  })
  .meta({ id: 'Workspace', base: 'WorkspaceShallow', description: 'A workspace.' })

export const shallowOrganizationSchema = z
  .object({
    ...coreSchema,
    ...childTimesSchema,
    ...nameFields,
    logo: z.base64().nullable(),
    allow_link_sharing: z.boolean(),
    allow_per_workspace_storage_settings: z.boolean(),
  })
  .meta({
    id: 'OrganizationShallow',
    base: 'NamedObject',
    description: 'An organization, without its workspaces.',
  })
export const organizationSchema = shallowOrganizationSchema
  .extend({
    workspaces: z.array(shallowWorkspaceSchema),
  })
  .meta({ id: 'Organization', base: 'OrganizationShallow', description: 'An organization.' })

const withNameFields = (entityType: string, node: Node, version: Version) =>
  Object.assign(coreShape(entityType, node, version), childTimes(node), {
    name: node.name,
    description: node.description ?? null,
  })

export const shallowFigure = (node: Node, version: Version) =>
  Object.assign(withNameFields('figure', node, version), importOf(node), {
    analysis: node.parentId,
    auto_assign_pending: node.autoAssignPending,
    is_stale: node.isStale,
  })

export const staleFigure = (node: Node, version: Version) =>
  Object.assign(shallowFigure(node, version), staleBecause(node))

export const staleBecause = ({ staleBecause: reasons }: Node) => ({
  stale_because: reasons.map((reason) => ({
    asset: reason.assetId,
    asset_name: reason.assetName,
    used_revision: reason.usedRevisionId,
    used_revision_index: reason.usedPosition,
    newest_revision: reason.newestRevisionId,
    newest_revision_index: reason.newestPosition,
    changed_on: isoOrNull(reason.changedOn),
    changed_by: reason.changedBy,
  })),
})

export const shallowAnalysis = (node: Node, version: Version) =>
  Object.assign(withNameFields('analysis', node, version), importOf(node), {
    workspace: node.parentId,
  })

export const shallowWorkspace = (node: Node, version: Version) =>
  Object.assign(withNameFields('workspace', node, version), {
    workspace_type: node.workspaceType === WorkspaceType.PRIMARY ? 'primary' : 'secondary',
    organization: node.parentId || null,
    compute_enabled: node.computeEnabled,
  })

export const shallowAsset = (node: Node, version: Version) =>
  Object.assign(withNameFields('asset', node, version), {
    workspace: node.parentId,
    analysis: node.scopeId || null,
  })

export function shallowOrganization(node: Node, version: Version) {
  const { logo, allowLinkSharing, allowPerWorkspaceStorage } = required(node.organization)
  return Object.assign(withNameFields('organization', node, version), {
    logo: logo.length > 0 ? Buffer.from(logo).toString('base64') : null,
    allow_link_sharing: allowLinkSharing,
    allow_per_workspace_storage_settings: allowPerWorkspaceStorage,
  })
}

export const organizationShape = (node: Node, workspaces: Node[], version: Version) =>
  Object.assign(shallowOrganization(node, version), {
    workspaces: workspaces.map((workspace) => shallowWorkspace(workspace, version)),
  })

type InAnalysis = { figures: Node[]; assets: Node[]; thumbnail: string | null }

export const analysisShape = (
  node: Node,
  { figures, assets, thumbnail }: InAnalysis,
  version: Version,
) =>
  Object.assign(shallowAnalysis(node, version), {
    thumbnail,
    figures: figures.map((figure) => shallowFigure(figure, version)),
    assets: assets.map((asset) => shallowAsset(asset, version)),
  })

type InWorkspace = { analyses: Node[]; assets: Node[]; stories: Node[] }

export const workspaceShape = (
  node: Node,
  { analyses, assets, stories }: InWorkspace,
  version: Version,
) =>
  Object.assign(shallowWorkspace(node, version), {
    analyses: analyses.map((analysis) => shallowAnalysis(analysis, version)),
    assets: assets.map((asset) => shallowAsset(asset, version)),
    stories: stories.map((story) => shallowStory(story, version)),
  })

import { NodeType } from '@figbase/proto/catalog'
import {
  type GitImport,
  GitImportState,
  GitImportTrigger,
  type GitRepository,
} from '@figbase/proto/git'
import { z } from 'zod'
import { newest } from '../versions.js'
import { datetime, isoOrNull, uuid } from './common.js'

const countsSchema = z
  .object({ total: z.int(), created: z.int(), changed: z.int(), renamed: z.int() })
  .meta({ id: 'GitCounts', description: 'What an import found and did.' })

export const gitImportSchema = z
  .object({
    api_id: uuid,
    repository: uuid,
    task: uuid.meta({ description: 'A task of the user who registered the repository.' }),
    status: z.enum(['waiting', 'running', 'succeeded', 'failed', 'cancelled']),
    trigger: z.enum(['user', 'schedule', 'push']),
    created_on: datetime,
    ended_on: datetime.nullable(),
    commit: z.string().nullable().meta({ description: 'The tip of the branch.' }),
    error: z.string().nullable(),
    figures: countsSchema,
    assets: countsSchema,
    refused: z
      .array(z.object({ path: z.string(), problem: z.string() }))
      .meta({ description: 'The first of the paths that were not imported.' }),
    refused_count: z.int(),
  })
  .meta({ id: 'GitImport', description: 'An import of a Git repository.' })

export const gitRepositorySchema = z
  .object({
    api_id: uuid,
    analysis: uuid.nullable(),
    workspace: uuid.nullable(),
    url: z.string(),
    branch: z.string(),
    has_token: z.boolean(),
    ssh_key: uuid.nullable(),
    include: z.array(z.string()),
    exclude: z.array(z.string()),
    schedule: z.string().nullable(),
    next_import_on: datetime.nullable(),
    host_key_fingerprints: z.array(z.string()),
    imported_commit: z.string().nullable(),
    last_import: gitImportSchema.nullable(),
    push_url: z.string().meta({ description: 'The address for a webhook of the Git server.' }),
    created_by: z.string(),
    created_on: datetime,
    updated_on: datetime,
  })
  .meta({
    id: 'GitRepository',
    description: 'A Git repository whose pictures are imported as figures.',
  })

export const gitRepositoryWithSecretSchema = gitRepositorySchema
  .extend({ secret: z.string() })
  .meta({
    id: 'GitRepositoryWithSecret',
    description: 'A Git repository with the secret of its webhook.',
    base: 'GitRepository',
  })

export const gitImportShape = (one: GitImport) => ({
  api_id: one.id,
  repository: one.repositoryId,
  task: one.taskId,
  status: GitImportState[one.state]?.toLowerCase(),
  trigger: GitImportTrigger[one.trigger]?.toLowerCase(),
  created_on: isoOrNull(one.createdOn),
  ended_on: isoOrNull(one.endedOn),
  commit: one.commit || null,
  error: one.error || null,
  figures: countsShape(one, 'figures'),
  assets: countsShape(one, 'assets'),
  refused: one.refused.map(({ path, reason }) => ({ path, problem: reason })),
  refused_count: one.counts?.refused ?? 0,
})

const countsShape = ({ counts }: GitImport, of: 'figures' | 'assets') => ({
  total: counts?.[of] ?? 0,
  created: counts?.[`${of}Created`] ?? 0,
  changed: counts?.[`${of}Changed`] ?? 0,
  renamed: counts?.[`${of}Renamed`] ?? 0,
})

/** Where the Git server of a repository announces pushes. */
export const pushUrlOf = (id: string, origin: string): string =>
  `${origin}/api/${newest}/git_repository/${id}/push/`

export const gitRepositoryShape = (repository: GitRepository, origin: string) => ({
  api_id: repository.id,
  analysis: repository.targetType === NodeType.ANALYSIS ? repository.targetId : null,
  workspace: repository.targetType === NodeType.WORKSPACE ? repository.targetId : null,
  url: repository.url,
  branch: repository.branch,
  has_token: repository.hasToken,
  ssh_key: repository.sshKeyId || null,
  include: repository.include,
  exclude: repository.exclude,
  schedule: repository.schedule || null,
  next_import_on: isoOrNull(repository.nextImportOn),
  host_key_fingerprints: repository.hostKeyFingerprints,
  imported_commit: repository.importedCommit || null,
  last_import: repository.lastImport ? gitImportShape(repository.lastImport) : null,
  push_url: pushUrlOf(repository.id, origin),
  created_by: repository.createdBy,
  created_on: isoOrNull(repository.createdOn),
  updated_on: isoOrNull(repository.updatedOn),
})

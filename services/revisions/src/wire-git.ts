import { create } from '@bufbuild/protobuf'
import { toTimestamp, toTimestampOrNone } from '@figbase/kit/db'
import {
  GitImportCountsSchema,
  GitImportSchema,
  GitImportState,
  GitImportTrigger,
  GitRepositorySchema,
} from '@figbase/proto/git'
import type { GitImportRow, GitRepositoryRow } from './db/schema.js'
import { nodeTypeOf } from './repositories/access.js'

export const toRepository = (row: GitRepositoryRow, newest: GitImportRow | undefined) =>
  create(GitRepositorySchema, {
    id: row.id,
    targetId: row.target_id,
    targetType: nodeTypeOf(row.target_type),
    workspaceId: row.workspace_id,
    url: row.url,
    branch: row.branch,
    hasToken: row.token_sealed.length > 0,
    sshKeyId: row.ssh_key_id ?? '',
    include: row.include,
    exclude: row.exclude,
    schedule: row.schedule,
    nextImportOn: toTimestampOrNone(row.next_import_on),
    hostKeyFingerprints: row.host_key_fingerprints,
    importedCommit: row.imported_commit,
    createdBy: row.created_by,
    createdOn: toTimestamp(row.created_on),
    updatedOn: toTimestamp(row.updated_on),
    lastImport: newest && toImport(newest),
  })

export const toImport = (row: GitImportRow) =>
  create(GitImportSchema, {
    id: row.id,
    repositoryId: row.repository_id,
    taskId: row.task_id,
    state: GitImportState[row.state],
    trigger: GitImportTrigger[row.trigger],
    createdOn: toTimestamp(row.created_on),
    endedOn: toTimestampOrNone(row.ended_on),
    commit: row.commit_id,
    error: row.error,
    counts: create(GitImportCountsSchema, row.counts),
    refused: row.refused,
  })

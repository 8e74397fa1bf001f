import type { ConnectError, HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { ObjectNotFound } from '@figbase/kit/objects'
import { onlyWorkspace, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import type { Db } from '../db/schema.js'
import { defaultStorage } from '../domain/default-storage.js'
import {
  listResumable,
  listSegments,
  type ResumableUpload,
  type Segment,
} from '../queries/resumable-uploads.js'
import type { StagedObject, Upload } from '../staging/upload.js'
import type { Listed, NamedObject, ReceivedObject } from './objects.js'

/**
 * Stages the bytes of the resumable uploads that a list refers to. Stages nothing unless all of them are
 * complete, belong to the caller, and were begun in this workspace.
 */
export async function stageUploads<Other extends Exclude<Listed, NamedObject>>(
  ctx: Ctx,
  upload: Upload,
  list: (NamedObject | Other)[],
  workspaceId: string,
  call: HandlerContext,
): Promise<(ReceivedObject | Other)[]> {
  const rows = await findNamed(ctx, list, workspaceId, call)
  const taken: (ReceivedObject | Other)[] = []
  for (const [index, one] of list.entries()) {
    if (isNamed(one)) {
      const { uploadId: _, ...facts } = one
      taken.push({ ...facts, ...(await stage(ctx, upload, rows.get(index), field(index))) })
    } else taken.push(one)
  }
  return taken
}

/** By their indexes in the list. */
async function findNamed(ctx: Ctx, list: Listed[], workspaceId: string, call: HandlerContext) {
  const rows = new Map<number, ResumableUpload>()
  const named = list.flatMap((one, index) => (isNamed(one) ? [{ id: one.uploadId, index }] : []))
  if (named.length === 0) return rows
  const ids = named.map(({ id }) => id)
  const found = await listResumable(ctx.db, ids, requireUser(call), onlyWorkspace(call))
  const left = new Map(found.map((row) => [row.id, row]))
  for (const { id, index } of named) {
    const row = left.get(id)
    const problem = problemOf(row, workspaceId)
    if (!row || problem) throw invalid(field(index), problem ?? gone)
    rows.set(index, row)
    left.delete(id)
  }
  return rows
}

const isNamed = (one: Listed): one is NamedObject => typeof one !== 'string' && 'uploadId' in one
const field = (index: number) => `data[${index}].upload`
const gone = 'does not exist, or was used already'

function problemOf(row: ResumableUpload | undefined, workspaceId: string) {
  if (!row) return gone
  if (row.workspace_id !== workspaceId) return 'belongs to another workspace'
  if (row.direct_key !== null || row.offset_bytes === row.length_bytes) return undefined
  const { offset_bytes: offset, length_bytes: length } = row
  return `is incomplete: received ${offset}${length === null ? '' : ` of ${length}`} bytes`
}

/** A single segment that is in the right storage already is not copied. */
async function stage(
  ctx: Ctx,
  upload: Upload,
  row: ResumableUpload | undefined,
  field: string,
): Promise<StagedObject> {
  if (!row) throw invalid(field, gone)
  upload.uses.push(row.id)
  if (row.direct_key !== null) return stageDirect(ctx, upload, row, row.direct_key, field)
  const segments = await listSegments(ctx.db, row.id)
  const [only, second] = segments
  if (only && !second && upload.storage() === defaultStorage) {
    return upload.adopt({ key: only.key, digest: only.digest, size: only.size_bytes })
  }
  const staged = await upload.stage(bytesOf(ctx, segments, field))
  if (staged.size !== row.offset_bytes)
    throw new Error('the size of the segments differs from the upload offset')
  return staged
}

async function* bytesOf(ctx: Ctx, segments: Segment[], field: string) {
  try {
    for (const { key } of segments) yield* ctx.objects.get(key)
  } catch (error) {
    throw error instanceof ObjectNotFound ? invalid(field, gone) : error
  }
}

/** The client may replace the bytes at any time, so the bytes that are read here count. */
async function stageDirect(
  ctx: Ctx,
  upload: Upload,
  { length_bytes }: ResumableUpload,
  key: string,
  field: string,
): Promise<StagedObject> {
  const length = length_bytes ?? 0n
  let size = 0n
  async function* bytes() {
    try {
      for await (const chunk of ctx.objects.get(key)) {
        size += BigInt(chunk.length)
        if (size > length) throw invalid(field, `has more than the declared ${length} bytes`)
        yield chunk
      }
    } catch (error) {
      throw error instanceof ObjectNotFound ? invalid(field, 'has not been uploaded yet') : error
    }
  }
  const staged = await upload.stage(bytes())
  if (size < length) throw invalid(field, `is incomplete: received ${size} of ${length} bytes`)
  return staged
}

/**
 * The error of a commit that failed because an upload was used meanwhile. Undefined if that is not the
 * cause.
 */
export async function usedUploadError(
  db: Db,
  uses: string[],
  owner: string,
): Promise<ConnectError | undefined> {
  const left = await listResumable(db, uses, owner, null)
  return left.length < uses.length
    ? invalid('data', 'refers to an upload that another request has used')
    : undefined
}

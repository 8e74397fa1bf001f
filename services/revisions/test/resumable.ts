import type { MessageInitShape } from '@bufbuild/protobuf'
import { NodeType } from '@figbase/proto/catalog'
import type { AppendUploadRequestSchema, ResumableUpload } from '@figbase/proto/revisions'
import { ada, type Bench } from './service.js'

export type AppendMessage = MessageInitShape<typeof AppendUploadRequestSchema>
type Begin = { lengthBytes?: bigint; targetId?: string; targetType?: NodeType; metadata?: string }

/** Begins an upload for the bench's figure. */
export async function begin(
  { client, figureId }: Pick<Bench, 'client' | 'figureId'>,
  request: Begin = {},
  as: typeof ada = ada,
): Promise<ResumableUpload> {
  const target = { targetId: figureId, targetType: NodeType.FIGURE }
  const { upload } = await client.beginUpload({ ...target, ...request }, as)
  if (!upload) throw new Error('no upload in the answer')
  return upload
}

/** Chunks of odd sizes, as the gateway may send them. */
export async function* pieces(
  id: string,
  offset: number,
  bytes: Uint8Array,
  lengthBytes?: bigint,
): AsyncGenerator<AppendMessage> {
  const start = {
    id,
    offsetBytes: BigInt(offset),
    ...(lengthBytes !== undefined && { lengthBytes }),
  }
  yield { part: { case: 'start', value: start } }
  for (let at = 0; at < bytes.length; at += 65_537) {
    yield { part: { case: 'chunk', value: bytes.subarray(at, at + 65_537) } }
  }
}

export async function add(
  { client }: Pick<Bench, 'client'>,
  id: string,
  offset: number,
  bytes: Uint8Array,
  as: typeof ada = ada,
): Promise<number> {
  const { upload } = await client.appendUpload(pieces(id, offset, bytes), as)
  return Number(upload?.offsetBytes)
}

export async function offsetOf({ client }: Pick<Bench, 'client'>, id: string): Promise<number> {
  return Number((await client.getUpload({ id }, ada)).upload?.offsetBytes)
}

/** A complete upload. */
export async function uploaded(
  bench: Pick<Bench, 'client' | 'figureId'>,
  bytes: Uint8Array,
  request: Begin = {},
): Promise<string> {
  const { id } = await begin(bench, { lengthBytes: BigInt(bytes.length), ...request })
  if (bytes.length > 0) await add(bench, id, 0, bytes)
  return id
}

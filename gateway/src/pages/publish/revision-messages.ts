import type { MessageInitShape } from '@bufbuild/protobuf'
import { NodeType } from '@figbase/proto/catalog'
import type { CreateRevisionRequestSchema, DataType } from '@figbase/proto/revisions'
import type { FormFile } from '../../http/form-file.js'

type Message = MessageInitShape<typeof CreateRevisionRequestSchema>

export type Chosen = { type: DataType; file: FormFile }[]

/** Messages have at most this size, like those of an upload. */
const chunkBytesMax = 64 * 1024

/** A revision of a figure from the files of a form. */
export async function* revisionMessages(
  figureId: string,
  chosen: Chosen,
  description: string,
): AsyncGenerator<Message> {
  const bytes = chosen.reduce((sum, { file }) => sum + file.bytes.length, 0)
  const parent = { id: figureId, type: NodeType.FIGURE_REVISION, expectedBytes: BigInt(bytes) }
  yield { part: { case: 'parent', value: parent } }
  for (const { type, file } of chosen) {
    for (let at = 0; at < file.bytes.length; at += chunkBytesMax) {
      yield { part: { case: 'chunk', value: file.bytes.subarray(at, at + chunkBytesMax) } }
    }
    yield { part: { case: 'objectEnd', value: { name: file.name, type } } }
  }
  yield { part: { case: 'finish', value: { description } } }
}

import type { CallOptions } from '@connectrpc/connect'
import { actAsSystem } from '@figbase/kit/rpc'
import { TextSource } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import type { DataPart } from '../prompts/figure-data.js'

const textsMax = 50
const charsMax = 64 * 1024

export type ExtractedTexts = {
  /** The texts in drawings and documents. */
  pictures: DataPart[]
  /** By data object, the columns of tables that are no text, such as Parquet. */
  columns: Map<string, string>
}

/** What the processing of a revision extracted from files that are no text. The caller must be allowed to view it. */
export async function extractedTexts(
  { revisions }: Pick<Ctx, 'revisions'>,
  revisionId: string,
  { signal }: CallOptions,
): Promise<ExtractedTexts> {
  const found: ExtractedTexts = { pictures: [], columns: new Map() }
  const request = { revisionIds: [revisionId] }
  let left = textsMax
  for await (const { dataId, source, text } of revisions.readTexts(request, {
    ...actAsSystem(),
    ...(signal && { signal }),
  })) {
    const head = text.slice(0, charsMax)
    if (source === TextSource.COLUMNS) found.columns.set(dataId, `columns:\n${head}`)
    else if (source !== TextSource.PLAIN) found.pictures.push({ kind: 'picture_text', text: head })
    if (--left === 0) break
  }
  return found
}

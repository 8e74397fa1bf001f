import type { Readable } from 'node:stream'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { AppendUploadRequestSchema, ResumableUpload } from '@figbase/proto/revisions'
import { DataStore, Upload } from '@tus/server'
import type { Input } from '../endpoint.js'
import { HttpError } from '../http/errors.js'
import { found } from '../routes/found.js'
import { resolved, targetIn } from './target.js'

type Part = MessageInitShape<typeof AppendUploadRequestSchema>

/** The uploads of the caller of one request, which are the revisions service's. */
export class UploadStore extends DataStore {
  /** As of the last answer of the service. */
  latest: ResumableUpload | undefined
  readonly #input: Input
  #toldLength: number | undefined
  /** When this request asked for the upload: it adds nothing once a newer one has. */
  #askId: string | undefined

  constructor(input: Input) {
    super()
    this.#input = input
    this.extensions = [...extensions]
  }

  override async create(upload: Upload): Promise<Upload> {
    const { services, call, headers } = this.#input
    const target = targetIn(upload.metadata ?? {}, 'Upload-Metadata')
    const { upload: begun } = await services.revisions.beginUpload(
      {
        ...(await resolved(this.#input, target)),
        ...(upload.size !== undefined && { lengthBytes: BigInt(upload.size) }),
        metadata: String(headers['upload-metadata'] ?? ''),
      },
      call,
    )
    this.latest = found(begun)
    upload.id = this.latest.id
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const { services, call } = this.#input
    const answer = await services.revisions.getUpload({ id }, call)
    const upload = found(answer.upload)
    this.latest = upload
    this.#askId = answer.askId || undefined
    return new Upload({
      id,
      offset: Number(upload.offsetBytes),
      ...(upload.lengthBytes !== undefined && { size: Number(upload.lengthBytes) }),
    })
  }

  override async declareUploadLength(_id: string, length: number): Promise<void> {
    this.#toldLength = length
  }

  /**
   * The body goes to the service as it comes, past the library, whose stream has nothing in it: its
   * own would lose what is on its way when the connection breaks. Here all that came is stored.
   */
  override async write(nothing: Readable, id: string, offset: number): Promise<number> {
    nothing.resume()
    const { services, streamCall } = this.#input
    // The end of the connection ends the body: that is how the service hears of it.
    const { signal: _, ...call } = streamCall
    const body = new Body(this.#input)
    const length = this.#toldLength
    const start = {
      id,
      offsetBytes: BigInt(offset),
      ...(length !== undefined && { lengthBytes: BigInt(length) }),
      ...(this.#askId !== undefined && { askId: this.#askId }),
    }
    const { upload } = await services.revisions.appendUpload(body.parts(start), call)
    this.latest = found(upload)
    if (body.fault) throw body.fault.error
    return Number(this.latest.offsetBytes)
  }

  override async remove(id: string): Promise<void> {
    const { services, call } = this.#input
    await services.revisions.endUpload({ id }, call)
  }
}

export const extensions = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'termination',
  'expiration',
] as const

/** The body of a request as messages; they end where it breaks. */
class Body {
  fault: { error: unknown } | undefined
  readonly #input: Input

  constructor(input: Input) {
    this.#input = input
  }

  async *parts(start: object): AsyncGenerator<Part> {
    yield { part: { case: 'start', value: start } }
    try {
      for await (const value of this.#input.bytes()) {
        yield { part: { case: 'chunk', value } }
        if (this.#input.stopping.aborted) throw stopping()
      }
    } catch (error) {
      this.fault = { error }
    }
  }
}

/** A stop does not wait for uploads: they can go on where they were. */
const stopping = () =>
  new HttpError(503, 'unavailable', 'the server is being restarted: resume the upload')

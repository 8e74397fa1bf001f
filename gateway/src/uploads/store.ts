import type { Readable } from 'node:stream'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { AppendUploadRequestSchema, ResumableUpload } from '@figbase/proto/revisions'
import { DataStore, Upload } from '@tus/server'
import type { Input } from '../endpoint.js'
import { HttpError } from '../http/errors.js'
import { required } from '../required.js'
import { resolveTarget, targetIn } from './target.js'

type Part = MessageInitShape<typeof AppendUploadRequestSchema>

/** The tus data store of one request. The uploads are stored by the revisions service. */
export class UploadStore extends DataStore {
  /** From the last response of the service. */
  latest: ResumableUpload | undefined
  readonly #input: Input
  #declaredLength: number | undefined
  /** Identifies this request to the service: it may no longer append after a newer request has read the upload. */
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
        ...(await resolveTarget(this.#input, target)),
        ...(upload.size !== undefined && { lengthBytes: BigInt(upload.size) }),
        metadata: String(headers['upload-metadata'] ?? ''),
      },
      call,
    )
    this.latest = required(begun)
    upload.id = this.latest.id
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const { services, call } = this.#input
    const answer = await services.revisions.getUpload({ id }, call)
    const upload = required(answer.upload)
    this.latest = upload
    this.#askId = answer.askId || undefined
    return new Upload({
      id,
      offset: Number(upload.offsetBytes),
      ...(upload.lengthBytes !== undefined && { size: Number(upload.lengthBytes) }),
    })
  }

  override async declareUploadLength(_id: string, length: number): Promise<void> {
    this.#declaredLength = length
  }

  /**
   * Streams the body directly to the service. The stream of the library is empty: it would lose data in transit
   * when the connection breaks, but here all received data is stored.
   */
  override async write(empty: Readable, id: string, offset: number): Promise<number> {
    empty.resume()
    const { services, streamCall } = this.#input
    // Without the abort signal: a closed connection ends the body, and the service stores what it received.
    const { signal: _, ...call } = streamCall
    const body = new Body(this.#input)
    const length = this.#declaredLength
    const start = {
      id,
      offsetBytes: BigInt(offset),
      ...(length !== undefined && { lengthBytes: BigInt(length) }),
      ...(this.#askId !== undefined && { askId: this.#askId }),
    }
    const { upload } = await services.revisions.appendUpload(body.parts(start), call)
    this.latest = required(upload)
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

/** The body of a request as RPC messages. If the body breaks, they end, and `fault` is set. */
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

/** A shutdown does not wait for uploads, because clients can resume them. */
const stopping = () =>
  new HttpError(503, 'unavailable', 'the server is restarting: resume the upload')

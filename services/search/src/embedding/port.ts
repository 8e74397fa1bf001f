/** Makes vectors of texts: texts that mean the same are close. */
export type Embedder = AsyncDisposable & {
  /** Name and version of the model; stored with each vector, because vectors of two models cannot be compared. */
  model: string
  /** Length of each vector. */
  dimensions: number
  /**
   * One vector of length 1 for each text, in their order. Long texts are cut, see `EMBEDDER_TEXT_CHARS_MAX`. Throws an
   * EmbedderError, or the abort error of `signal`.
   */
  embedTexts(texts: string[], signal: AbortSignal): Promise<Float32Array[]>
  /** Only of models that embed texts and pictures in one space. */
  embedPicture?(png: Buffer, signal: AbortSignal): Promise<Float32Array>
}

export class EmbedderError extends Error {
  override name = 'EmbedderError'
  /** When another attempt makes sense, if that is known. */
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    /** Another attempt may succeed. */
    readonly isTemporary: boolean,
    { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: number | undefined } = {},
  ) {
    super(message, options)
    this.retryAfterMs = retryAfterMs
  }
}

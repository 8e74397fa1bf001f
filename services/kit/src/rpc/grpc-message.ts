import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

type Handler = (req: Http2ServerRequest, res: Http2ServerResponse) => void

const name = 'grpc-message'

/**
 * Connect percent-encodes `:`, `,` and `/` in error messages, which gRPC does not require and grpc-js does not decode.
 * This only encodes what gRPC requires: `%` and everything but printable ASCII.
 */
export function withPlainMessages(handler: Handler): Handler {
  return (req, res) => {
    const { addTrailers } = res
    res.addTrailers = (trailers) => {
      const message = trailers[name]
      const plain = typeof message === 'string' && { [name]: minimallyEncoded(message) }
      addTrailers.call(res, { ...trailers, ...plain })
    }
    handler(req, res)
  }
}

const minimallyEncoded = (message: string) =>
  decodeURIComponent(message).replace(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent)

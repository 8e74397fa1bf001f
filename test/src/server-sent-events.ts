import { EventSourceParserStream } from 'eventsource-parser/stream'

export interface StreamEvent {
  id: string
  event: string
  data: Record<string, unknown>
}

/** The server-sent events of a response, as they arrive. */
export async function* eventsOf({ body }: Response): AsyncGenerator<StreamEvent, undefined> {
  const messages =
    body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()) ?? []
  for await (const { id = '', event = '', data } of messages) {
    yield { id, event, data: JSON.parse(data) }
  }
  return undefined
}

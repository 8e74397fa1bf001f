import { create, type DescMessage, toJson } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { type Executor, statement } from '../db/statement.js'
import { newOrderedId } from '../ids.js'
import { principal, requestId } from '../rpc/call.js'
import { currentScope, currentTraceparent } from '../tracing/scope.js'
import type { AnyEventKind, EventKind, Payload, UntimedEvent } from './event.js'

/**
 * Publishes in the transaction of the write: no row without its event, no event without its row.
 * Order per key holds if the writer has locked the object before. `call` tells who caused it.
 */
export type Publish = <M extends DescMessage>(
  tx: Executor,
  event: EventKind<M>,
  payload: Payload<M>,
  call?: HandlerContext,
) => Promise<void>

const inserted = statement<never>('insert into outbox (message) values ($1::json)')

const keyBytesMax = 512
const messageBytesMax = 64 * 1024

/** `published` hears of each transaction that published something. */
export function publishFor(
  service: string,
  kinds: AnyEventKind[],
  published: (tx: object) => void,
): Publish {
  return async (tx, kind, init, call) => {
    if (!kinds.some(({ name }) => name === kind.name))
      throw new Error(`${service} does not publish ${kind.name}`)
    const payload = create(kind.schema, init)
    const record: UntimedEvent = {
      id: newOrderedId(),
      name: kind.name,
      key: kind.key(payload),
      actor: call ? principal(call).username : '',
      requestId: call ? requestId(call) : (currentScope()?.requestId ?? ''),
      traceparent: currentTraceparent(),
      payload: toJson(kind.schema, payload),
    }
    const message = JSON.stringify(record)
    if (Buffer.byteLength(record.key) > keyBytesMax) {
      throw new RangeError(`the key of ${kind.name} has more than ${keyBytesMax} bytes`)
    }
    if (Buffer.byteLength(message) > messageBytesMax) {
      throw new RangeError(`${kind.name} has more than ${messageBytesMax} bytes: send ids`)
    }
    await inserted(tx, message)
    published(tx)
  }
}

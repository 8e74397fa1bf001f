import { create, type DescMessage, toJson } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { type Executor, statement } from '../db/statement.js'
import { newOrderedId } from '../ids.js'
import { principal, requestId } from '../rpc/call.js'
import { currentScope, currentTraceparent } from '../scope/scope.js'
import type { AnyEventKind, EventKind, Payload, UntimedEvent } from './event.js'

/**
 * Publishes in the transaction of the write: both are committed or neither. Events of a key are ordered if the writer
 * has locked the object. `call` names the user and the request.
 */
export type Publish = <M extends DescMessage>(
  tx: Executor,
  event: EventKind<M>,
  payload: Payload<M>,
  call?: HandlerContext,
) => Promise<void>

const insertEvent = statement<never>('insert into outbox (message) values ($1::json)')

const keyBytesMax = 512
const messageBytesMax = 64 * 1024

/** `onPublish` is called with each transaction that publishes. */
export function publishFor(
  service: string,
  kinds: AnyEventKind[],
  onPublish: (tx: object) => void,
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
      throw new RangeError(`the key of ${kind.name} must have at most ${keyBytesMax} bytes`)
    }
    if (Buffer.byteLength(message) > messageBytesMax) {
      throw new RangeError(
        `${kind.name} must have at most ${messageBytesMax} bytes: publish ids, not content`,
      )
    }
    await insertEvent(tx, message)
    onPublish(tx)
  }
}

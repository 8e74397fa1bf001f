import { type DescMessage, getOption, hasOption } from '@bufbuild/protobuf'
import { event, event_key } from '@figbase/proto/common'
import { defineEvent, type EventKind } from './event.js'

/** The event kind that a message declares by its protobuf options. */
export function eventOf<M extends DescMessage>(schema: M): EventKind<M> {
  const field = schema.fields.find((one) => hasOption(one, event_key))
  if (!field) throw new Error(`${schema.typeName} has no event_key`)
  return defineEvent({
    name: getOption(schema, event),
    schema,
    key: (payload) => String(Reflect.get(payload, field.localName)),
  })
}

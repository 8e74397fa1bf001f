import { invalid } from '@figbase/kit/errors'
import type { Parts } from '../staging/parts.js'
import type { Upload } from '../staging/upload.js'
import { type Listed, type ObjectLimits, type ObjectPart, receiveObjects } from './objects.js'

/** `place` is the parent of a new revision, or the revision to update. */
export type RequestPart<Place, Finish> =
  | { case: 'place'; value: Place }
  | { case: 'finish'; value: Finish }
  | ObjectPart
  | { case: undefined; value?: undefined }

export type Received<Opened, Finish> = { opened: Opened; list: Listed[]; finish: Finish }

export type ReceiveOptions<Place, Opened> = ObjectLimits & {
  /** The field of errors before the place is known. Then `open` returns it. */
  field: 'parent' | 'target'
  /** If false, objects may come before the place. */
  placeComesFirst: boolean
  /** Throws if the caller may not write there. */
  open(place: Place): Promise<Opened>
}

/** Reads a whole request. Every object is staged when it returns. */
export async function receive<
  Place,
  Finish extends { metadataJson?: string | undefined },
  Opened extends { field: string },
>(
  parts: Pick<Parts<RequestPart<Place, Finish>>, 'next'>,
  upload: Upload,
  { field, placeComesFirst, open, ...limits }: ReceiveOptions<Place, Opened>,
): Promise<Received<Opened, Finish>> {
  const objects = receiveObjects(parts, upload, limits)
  let place: { opened: Opened } | undefined

  for (;;) {
    const part = await parts.next()
    if (!place && placeComesFirst && part?.case !== 'place') {
      throw invalid(field, 'is required and must come first')
    }
    switch (part?.case) {
      case 'place':
        if (place) throw invalid(place.opened.field, 'must not be repeated')
        place = { opened: await open(part.value) }
        break
      case 'chunk':
      case 'objectEnd':
        await objects.take(part)
        break
      case 'finish': {
        if (!place) throw invalid(field, 'is required')
        objects.count(part.value.metadataJson)
        return { ...place, list: objects.list, finish: part.value }
      }
      default:
        throw invalid('data', 'is incomplete: the stream ended early')
    }
    // Permission is checked before the objects are, so their problems wait for the place.
    if (place && objects.problem) throw objects.problem
  }
}

import { invalid } from '@figbase/kit'
import type { Parts } from '../staging/parts.js'
import type { Upload } from '../staging/upload.js'
import { type Listed, type ObjectLimits, type ObjectPart, receiveObjects } from './objects.js'

/** `place`: where a new revision is to be, or the revision that changes. */
export type RequestPart<Place, Finish> =
  | { case: 'place'; value: Place }
  | { case: 'finish'; value: Finish }
  | ObjectPart
  | { case: undefined; value?: undefined }

export type Received<Opened, Finish> = { opened: Opened; list: Listed[]; finish: Finish }

export type ReceiveOptions<Place, Opened> = ObjectLimits & {
  /** What the place is called while it has not come; then `open` says what. */
  field: 'parent' | 'target'
  /** Else objects may come ahead of it. */
  placeComesFirst: boolean
  /** Refuses who may not write there. */
  open(place: Place): Promise<Opened>
}

/** Reads a whole request; every object is staged when it ends. */
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
      throw invalid(field, 'is required, and comes first')
    }
    switch (part?.case) {
      case 'place':
        if (place) throw invalid(place.opened.field, 'is there twice')
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
        throw invalid('data', 'ended early')
    }
    // Permission comes before shape: what is wrong in objects ahead of the place waits for it.
    if (place && objects.problem) throw objects.problem
  }
}

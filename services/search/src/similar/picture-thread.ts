import { comparer } from '../pictures/compare.js'
import type { LocalDescriptor } from '../pictures/describe.js'
import { PictureIndex } from '../pictures/picture-index.js'
import { answerRequests } from '../threads/answer-requests.js'
import { PlaceColumns } from '../vectors/place-columns.js'
import type { PictureReply, PictureRequest } from './picture-messages.js'

/** The program of the thread that holds the global descriptors of pictures, and compares pictures. */
const index = new PictureIndex()
const places = new PlaceColumns()
const slots = new Map<string, number>()
let slotsMax = 0

answerRequests((request: PictureRequest): PictureReply => {
  const found = handle(request)
  return { found, size: slots.size }
})

function handle(request: PictureRequest): PictureReply['found'] {
  switch (request.kind) {
    case 'set':
      for (const { id, place, global } of request.rows) {
        remove(id)
        const slot = index.set(id, Buffer.from(global))
        slots.set(id, slot)
        slotsMax = Math.max(slotsMax, slot + 1)
        places.add(slot, id, place)
      }
      return []
    case 'place':
      for (const { id, place } of request.rows) {
        const slot = slots.get(id)
        if (slot === undefined) continue
        places.remove(slot)
        places.add(slot, id, place)
      }
      return []
    case 'remove':
      request.ids.forEach(remove)
      return []
    case 'candidates': {
      const mask = new Uint8Array(slotsMax)
      places.allow(request.filter, slotsMax, mask)
      const isAllowed = (slot: number) => mask[slot] === 1
      const found = index.candidates(Buffer.from(request.global), request.count, isAllowed)
      return found.map(({ id, distance }) => ({ id, score: 1 - distance }))
    }
    case 'compare': {
      const scoreOf = comparer(descriptorOf(request.picture))
      return request.others.map(({ id, ...other }) => ({ id, score: scoreOf(descriptorOf(other)) }))
    }
  }
}

function remove(id: string) {
  const slot = slots.get(id)
  if (slot === undefined) return
  places.remove(slot)
  slots.delete(id)
  index.remove(id)
}

const descriptorOf = ({ version, local }: LocalDescriptor): LocalDescriptor => ({
  version,
  local: Buffer.from(local),
})

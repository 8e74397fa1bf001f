/** A size of instances. */
export type Tier = {
  id: string
  label: string
  vcpu: number
  memoryGb: number
  description: string
}

const pattern =
  /^([a-z0-9][a-z0-9_-]{0,31}):(\d{1,3}(?:\.\d{1,2})?):(\d{1,4}(?:\.\d{1,2})?)(?::([^:]{1,100}))?$/

/** Parses `small:1:2` or `small:1:2:For reading`: id, vCPU, GB of memory, description. Undefined if it is malformed. */
export function parseTier(text: string): Tier | undefined {
  const [, id = '', vcpu, memory, description] = pattern.exec(text) ?? []
  const [cores, memoryGb] = [Number(vcpu), Number(memory)]
  if (!id || !(cores > 0) || !(memoryGb > 0)) return undefined
  return {
    id,
    label: `${id.charAt(0).toUpperCase()}${id.slice(1).replaceAll(/[_-]/g, ' ')}`,
    vcpu: cores,
    memoryGb,
    description: description ?? `${cores} vCPU, ${memoryGb} GB of memory`,
  }
}

import {
  createRegistry,
  type DescFile,
  type DescService,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { Code, type ServiceImpl } from '@connectrpc/connect'
import type {
  ServerReflection,
  ServerReflectionRequest,
  ServerReflectionResponseSchema,
} from '@figbase/proto/reflection'

type Response = MessageInitShape<typeof ServerReflectionResponseSchema>['messageResponse']

/** Implements `grpc.reflection.v1`, for development with tools such as grpcurl. */
export function reflectionOf(services: DescService[]): ServiceImpl<typeof ServerReflection> {
  const files = withImports(services.map((service) => service.file))
  const respondTo = createResponder(services, files)
  return {
    async *serverReflectionInfo(requests) {
      for await (const originalRequest of requests) {
        const messageResponse = respondTo(originalRequest)
        yield { validHost: originalRequest.host, originalRequest, messageResponse }
      }
    },
  }
}

function createResponder(services: DescService[], files: DescFile[]) {
  const registry = createRegistry(...files)

  /** The file of a symbol, which is a type, a service, or a member of one. */
  const fileOf = (symbol: string): DescFile | undefined => {
    const found = registry.get(symbol)
    if (found) return found.file
    const at = symbol.lastIndexOf('.')
    const owner = registry.get(symbol.slice(0, Math.max(at, 0)))
    return owner && membersOf(owner).includes(symbol.slice(at + 1)) ? owner.file : undefined
  }

  const extensionsOf = (typeName: string) =>
    files.flatMap((file) => file.extensions).filter((each) => each.extendee.typeName === typeName)

  return ({ messageRequest: request }: ServerReflectionRequest): Response => {
    switch (request.case) {
      case 'listServices': {
        const service = services.map(({ typeName }) => ({ name: typeName }))
        return { case: 'listServicesResponse', value: { service } }
      }
      case 'fileByFilename':
        return fileResponse(files.find((file) => file.proto.name === request.value))
      case 'fileContainingSymbol':
        return fileResponse(fileOf(request.value))
      case 'fileContainingExtension': {
        const { containingType, extensionNumber } = request.value
        const all = extensionsOf(containingType)
        return fileResponse(all.find((each) => each.number === extensionNumber)?.file)
      }
      case 'allExtensionNumbersOfType': {
        const extensionNumber = extensionsOf(request.value).map((each) => each.number)
        const value = { baseTypeName: request.value, extensionNumber }
        return { case: 'allExtensionNumbersResponse', value }
      }
      default:
        return errorResponse(Code.InvalidArgument, 'empty request')
    }
  }
}

/** The file, preceded by its imports, because some clients do not request these. */
function fileResponse(file: DescFile | undefined): Response {
  if (!file) return errorResponse(Code.NotFound, 'not found')
  const all = withImports([file]).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto))
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto: all } }
}

const errorResponse = (errorCode: Code, errorMessage: string): Response => ({
  case: 'errorResponse',
  value: { errorCode, errorMessage },
})

function withImports(files: readonly DescFile[], seen = new Set<DescFile>()): DescFile[] {
  return files.flatMap((file) => {
    if (seen.has(file)) return []
    seen.add(file)
    return [...withImports(file.dependencies, seen), file]
  })
}

function membersOf(owner: NonNullable<ReturnType<ReturnType<typeof createRegistry>['get']>>) {
  switch (owner.kind) {
    case 'service':
      return owner.methods.map((method) => method.name)
    case 'message':
      return [...owner.fields, ...owner.oneofs].map((member) => member.name)
    case 'enum':
      return owner.values.map((value) => value.name)
    default:
      return []
  }
}

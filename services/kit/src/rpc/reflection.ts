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

type Answer = MessageInitShape<typeof ServerReflectionResponseSchema>['messageResponse']

/** `grpc.reflection.v1`: tells a tool like grpcurl what is served here. For development. */
export function reflectionOf(services: DescService[]): ServiceImpl<typeof ServerReflection> {
  const files = withImports(services.map((service) => service.file))
  const answerTo = createAnswers(services, files)
  return {
    async *serverReflectionInfo(requests) {
      for await (const originalRequest of requests) {
        const messageResponse = answerTo(originalRequest)
        yield { validHost: originalRequest.host, originalRequest, messageResponse }
      }
    },
  }
}

function createAnswers(services: DescService[], files: DescFile[]) {
  const registry = createRegistry(...files)

  /** A symbol is a type, a service, or a member of one. */
  const fileOf = (symbol: string): DescFile | undefined => {
    const found = registry.get(symbol)
    if (found) return found.file
    const at = symbol.lastIndexOf('.')
    const owner = registry.get(symbol.slice(0, Math.max(at, 0)))
    return owner && membersOf(owner).includes(symbol.slice(at + 1)) ? owner.file : undefined
  }

  const extensionsOf = (typeName: string) =>
    files.flatMap((file) => file.extensions).filter((each) => each.extendee.typeName === typeName)

  return ({ messageRequest: asked }: ServerReflectionRequest): Answer => {
    switch (asked.case) {
      case 'listServices': {
        const service = services.map(({ typeName }) => ({ name: typeName }))
        return { case: 'listServicesResponse', value: { service } }
      }
      case 'fileByFilename':
        return fileAnswer(files.find((file) => file.proto.name === asked.value))
      case 'fileContainingSymbol':
        return fileAnswer(fileOf(asked.value))
      case 'fileContainingExtension': {
        const { containingType, extensionNumber } = asked.value
        const all = extensionsOf(containingType)
        return fileAnswer(all.find((each) => each.number === extensionNumber)?.file)
      }
      case 'allExtensionNumbersOfType': {
        const extensionNumber = extensionsOf(asked.value).map((each) => each.number)
        const value = { baseTypeName: asked.value, extensionNumber }
        return { case: 'allExtensionNumbersResponse', value }
      }
      default:
        return refusal(Code.InvalidArgument, 'the request asks for nothing')
    }
  }
}

/** The file after all that it imports: some clients ask for no more. */
function fileAnswer(file: DescFile | undefined): Answer {
  if (!file) return refusal(Code.NotFound, 'not known here')
  const all = withImports([file]).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto))
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto: all } }
}

const refusal = (errorCode: Code, errorMessage: string): Answer => ({
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

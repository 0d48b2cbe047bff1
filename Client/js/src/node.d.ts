// The few things of Node that tcp.js uses, so that its types are checked without those of all of Node.
interface NodeSocket {
  on(event: string, listener: (value: any) => void): this;
  removeAllListeners(event: string): this;
  write(bytes: Uint8Array): boolean;
  end(): void;
  destroy(error?: Error): void;
  readonly writableLength: number;
  readonly alpnProtocol?: string | false;
}
declare module "node:net" {
  export function connect(options: object): NodeSocket;
}
declare module "node:tls" {
  export function connect(options: object): NodeSocket;
}

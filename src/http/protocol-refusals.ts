import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import { refuseConnection } from './client-faults.ts';
import { PROBLEM_JSON, protocolProblem } from './problem.ts';

/** Options of Node's server under which the application itself answers what the protocol leaves to it. */
export const protocolOptions = {
  // Else Node answers a request without a Host by itself, and with no problem in its body.
  requireHostHeader: false,
  // This server supports no other protocol, so such a request is treated like any other (RFC 9110, 7.8).
  shouldUpgradeCallback: () => false,
};

/** Whether a request has more than one Host header, of which a proxy may have read another than Node does. */
const namesHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host').length > 1;

/** Answers an unknown expectation, what takes the service for a proxy, and a request of HTTP/1.1 that names no host or one twice, with a problem. */
export const refuseOddRequests = (app: FastifyInstance): void => {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify(protocolProblem(417, 'The only expectation that is met here is 100-continue'));
    response.writeHead(417, { 'content-type': PROBLEM_JSON, connection: 'close' }).end(body);
  });
  // Node hangs up without a word.
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node has let go of it: an error that nobody listens to would end the process.
    socket.on('error', () => socket.destroy());
    refuseConnection(socket, 501, 'This service is no proxy; send requests to their own addresses');
  });
  app.addHook('onRequest', ({ raw, headers: { host } }, _reply, done) => {
    if ((host === undefined && raw.httpVersion !== '1.0') || namesHosts(raw))
      throw new ServiceError('INVALID_REQUEST', 'Name the host in one Host header');
    done();
  });
};

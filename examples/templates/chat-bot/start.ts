import { createTripact } from 'tripact';
import { createChat } from './chat.ts';
import config from './tripact.config.ts';

const tripact = await createTripact({ config });
const chat = createChat(tripact).listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
chat.once('listening', () => console.log(`http://127.0.0.1:${(chat.address() as { port: number }).port}`));

const stop = (): void => {
  chat.close();
  chat.closeAllConnections();
  void tripact.close();
};
process.once('SIGTERM', stop).once('SIGINT', stop);

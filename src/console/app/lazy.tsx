import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, Loading } from '../design/notice.tsx';

/** A component whose code is loaded when it is first shown; `Meanwhile` stands for it until then, and where its code can't be loaded. */
export const lazy = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
): ((props: Props) => JSX.Element) => {
  let loaded: ComponentType<Props> | undefined;
  return (props) => {
    const [Shown, setShown] = useState<ComponentType<Props> | undefined>(() => loaded);
    const [error, setError] = useState<unknown>(null);
    const [tries, setTries] = useState(0);
    useEffect(() => {
      if (loaded !== undefined) return;
      setError(null);
      load().then((component) => {
        loaded = component;
        setShown(() => component);
      }, setError);
    }, [tries]);
    if (Shown !== undefined) return <Shown {...props} />;
    if (Meanwhile !== undefined) return <Meanwhile {...props} />;
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => setTries(tries + 1)} />;
  };
};
